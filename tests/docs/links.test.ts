/** What the pages link to is there: files, and headings. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const read = (page: string): string => readFileSync(join(ROOT, page), 'utf8')
const docs = readdirSync(join(ROOT, 'docs'), { encoding: 'utf8', recursive: true }).filter(
  (name) => name.endsWith('.md') && !name.startsWith('site'),
)
const pages = ['README.md', 'CONTRIBUTING.md', 'examples/README.md', ...docs.map((name) => `docs/${name}`)]

t.test('every relative link leads to a file that ships with the page, and to a heading of it', async (t) => {
  let links = 0
  for (const page of pages)
    for (const [, target = ''] of read(page).matchAll(/\]\(([^\s)]+)\)/g)) {
      if (/^[a-z]+:/.test(target)) continue
      links += 1
      const [path = '', fragment] = target.split('#')
      const file = path === '' ? page : join(dirname(page), path)
      t.ok(existsSync(join(ROOT, file)), `${page}: ${target}`)
      t.ok(isPublished(file), `${page}: ${target} is in the package`)
      if (fragment !== undefined)
        t.ok(anchorsOf(read(file)).has(fragment), `${page}: ${target} has a heading`)
    }
  t.ok(links > 40)
})

t.test('every path that CONTRIBUTING.md names is there', async (t) => {
  const paths = Array.from(
    read('CONTRIBUTING.md').matchAll(/`((?:[\w.-]+\/)+[\w.-]+\.[a-z]+)`/g),
    ([, path = '']) => path,
  )
  const named = paths.filter((path) => !path.includes('NAME'))
  t.ok(named.length > 50)
  for (const path of named) t.ok(existsSync(join(ROOT, path)), path)
})

/** By `files` of package.json; npm adds the README. */
function isPublished(file: string): boolean {
  const { files }: { readonly files: readonly string[] } = JSON.parse(read('package.json'))
  return ['README.md', ...files].some((entry) => file === entry || file.startsWith(`${entry}/`))
}

/** As GitHub names headings. */
function anchorsOf(text: string): ReadonlySet<string> {
  const withoutCode = text.replaceAll(/^```.*?^```/gms, '')
  return new Set(
    Array.from(withoutCode.matchAll(/^#+ (.*)$/gm), ([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  )
}
