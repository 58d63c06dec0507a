/**
 * `npm run docs:site`, first half: writes the pages of the site to `docs/site/pages/`: the documentation as it is in the repository, and a
 * page for every rule. The second half is VitePress, which fails for a link that leads nowhere.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { EVERY_MUTANT } from '../prove/profiles/index.js'
import { explainRules } from '../reports/formats/explanation/explain-rules.js'
import { renderExplanationPage } from '../reports/formats/explanation/markdown.js'
import { markdownCode, markdownProse } from '../reports/formats/markdown/escape.js'
import { loadShipped, withAdvice } from '../spec/load/advice.js'
import { clientRules } from '../spec/load/client-suite.js'
import { loadSpecification } from '../spec/load/specification.js'
import { groupBy } from '../spec/model/items.js'
import { renderMatrixPage } from './interop/matrix-page.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const pages = join(root, 'docs/site/pages')

interface Item {
  readonly text: string
  readonly link?: string
  readonly collapsed?: boolean
  readonly items?: readonly Item[]
}

function write(page: string, text: string): void {
  mkdirSync(dirname(join(pages, page)), { recursive: true })
  writeFileSync(join(pages, page), text)
}

const documents = [
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  ...readdirSync(join(root, 'docs'), { encoding: 'utf8', recursive: true })
    .filter((name) => name.endsWith('.md') && !name.startsWith('site'))
    .map((name) => `docs/${name}`),
]

/** The name of a document on the site, where it is there. */
function pageOf(document: string): string | undefined {
  if (document === 'README.md') return 'index.md'
  return documents.includes(document) ? document.replace(/README\.md$/, 'index.md') : undefined
}

/** A link to what is only in the repository becomes its path. */
function withLinks(document: string, text: string): string {
  return text.replace(
    /\[([^\]]*)\]\((?![a-z]+:|#)([^\s)#]+)(#[^\s)]*)?\)/g,
    (_, shown: string, to: string, hash = '') => {
      const target = posix.join(posix.dirname(document), to)
      const page = pageOf(target)
      if (page === undefined) return shown.includes(target) ? shown : `${shown} (\`${target}\`)`
      return `[${shown}](${posix.relative(posix.dirname(document), page)}${hash})`
    },
  )
}

rmSync(pages, { recursive: true, force: true })
for (const document of documents)
  write(pageOf(document) ?? document, withLinks(document, readFileSync(join(root, document), 'utf8')))
cpSync(join(root, 'docs/site/index.md'), join(pages, 'index.md'))
mkdirSync(join(pages, 'public'))
cpSync(join(root, 'docs/site/icon.svg'), join(pages, 'public/icon.svg'))

const profiles = Object.keys(loadShipped().profiles)
const { requirements, cases } = withAdvice(loadSpecification(), { profiles })
const rules = explainRules({ rules: [...requirements, ...clientRules()], cases, mutants: EVERY_MUTANT })
const fileOf = (rule: string): string => rule.replace(':', '.')
for (const [id, explanation] of rules) write(`rules/${fileOf(id)}.md`, renderExplanationPage(explanation))

const NAMES: Readonly<Record<string, string>> = {
  '1': '1. What the service does',
  '2.1': '2.1 Token response',
  '2.2': '2.2 User account',
  '3': '3. States',
  '4.1': '4.1 POST /Token',
  '4.2': '4.2 Other endpoints',
  '5': '5. Authentication',
  '6': '6. Events',
  '7': '7. Errors',
  '8': '8. Limits',
  '9': '9. Versioning',
}
/** By section; the rules of a profile or of clients are together. */
const groups = [
  ...groupBy([...rules.values()], ({ rule }) => {
    const [namespace = ''] = rule.id.split(':')
    if (namespace === rule.id) return NAMES[rule.section] ?? rule.section
    return namespace === 'client' ? 'Clients' : `Profile ${namespace}`
  }),
]
write(
  'rules/index.md',
  [
    '# The rules',
    '',
    'Every sentence of the specification, then what the profiles and the suite for clients ask. `token-assay explain RULE` prints the',
    'same without a network.',
    '',
    ...groups.flatMap(([name, group]) => [
      `## ${name}`,
      '',
      ...group.map(({ rule }) => {
        const link = `[${markdownCode(rule.id)}](${fileOf(rule.id)}.md)`
        return `- ${link} ${markdownProse(rule.statement)}`
      }),
      '',
    ]),
  ].join('\n'),
)

const record = (name: string): string => readFileSync(join(root, `docs/${name}.md`), 'utf8')
write(
  'matrix.md',
  renderMatrixPage(record('interop'), record('sign-ins'), (id) => {
    const statement = rules.get(id)?.rule.statement
    return statement === undefined ? undefined : { statement, link: `/rules/${fileOf(id)}.html` }
  }),
)

const ruleItems = groups.map(
  ([text, group]): Item => ({
    text,
    collapsed: true,
    items: group.map(({ rule }) => ({ text: rule.id, link: `/rules/${fileOf(rule.id)}` })),
  }),
)
const index = readFileSync(join(root, 'docs/README.md'), 'utf8')
const documentItems = index
  .split(/^## /m)
  .slice(1)
  .map((part): Item => {
    const [text = ''] = part.split('\n')
    const links = part.matchAll(/\[([^\]]+)\]\(([^)]+)\.md\)/g)
    return {
      text,
      items: Array.from(links, ([, name = '', to = '']) => ({
        text: titleOf(to, name),
        link: `/docs/${to}`,
      })),
    }
  })

/** What its heading says: the index has links within sentences. */
function titleOf(document: string, otherwise: string): string {
  const file = join(root, `docs/${document}.md`)
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  return (/^# (.*)$/m.exec(text)?.[1] ?? otherwise).replaceAll('`', '')
}

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const sidebar = { '/rules/': ruleItems, '/': documentItems }
write('site.json', `${JSON.stringify({ sidebar, version })}\n`)
console.log(`${documents.length} documents, ${rules.size} rules`)
