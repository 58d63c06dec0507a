/**
 * `npm run check:house`: how large the house is, how long its ways are, and which words it uses. No figure of
 * `scripts/house.yaml` may grow; `--write` lowers those that fell. `-- TREE PLACES` counts another tree.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse, parseDocument } from 'yaml'
import { countHouse, type Places } from './house/count.js'
import { usesOf, type Word, wordsOf } from './house/words.js'

interface House {
  readonly places: Places
  readonly figures: Readonly<Record<string, number>>
  readonly words: readonly Word[]
}

const OWN = fileURLToPath(new URL('house.yaml', import.meta.url))
const args = process.argv.slice(2).filter((arg) => arg !== '--write')
const [root = fileURLToPath(new URL('..', import.meta.url)), places = OWN] = args
const house: House = parse(readFileSync(OWN, 'utf8'))
const other: House = parse(readFileSync(places, 'utf8'))

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter(
    (path) => /\.(?:[cm]?[jt]s|ya?ml|md|json)$/.test(path) && !/^scripts\/house|package-lock/.test(path),
  )
const { figures, problems } = countHouse(root, files, other.places)
const pages = files
  .filter((path) => !/\.json$|^CHANGELOG/.test(path))
  .map((path) => ({ path, words: wordsOf(path, readFileSync(join(root, path), 'utf8')) }))
const avoidable = pages.flatMap(({ path, words }) =>
  house.words
    .filter((word) => path.startsWith(word.in ?? '') && usesOf(word, words) > 0)
    .map(({ not, but }) => `${path}: not ${not} but ${but}`),
)

const grown: string[] = [...problems]
for (const [name, count] of Object.entries(figures)) {
  const limit = house.figures[name] ?? 0
  console.log(`${String(count).padStart(6)}  ${name}${count < limit ? ` (was ${limit})` : ''}`)
  if (count > limit) grown.push(`${name}: ${count}, where at most ${limit} are allowed`)
}
console.log(`${String(avoidable.length).padStart(6)}  words to avoid`)
grown.push(...avoidable)

if (process.argv.includes('--write')) {
  const document = parseDocument(readFileSync(OWN, 'utf8'))
  for (const [name, count] of Object.entries(figures)) document.setIn(['figures', name], count)
  writeFileSync(OWN, document.toString({ lineWidth: 0 }))
} else if (grown.length > 0 && args.length === 0) {
  console.error(grown.join('\n'))
  process.exitCode = 1
}
