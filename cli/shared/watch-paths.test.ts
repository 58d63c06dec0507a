import { closeSync, mkdirSync, openSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import t, { type Test } from 'tap'
import { AssayError } from '../../spec/model/assay-error.js'
import { watchPaths } from './watch-paths.js'

const isWindows = process.platform === 'win32' && 'a link needs a privilege there'

/** Watches until the test ends. @returns waits for the next change */
function changes(
  t: Test,
  folder: string,
  paths: readonly string[],
  ignored: readonly (string | number)[] = [],
) {
  const come: string[] = []
  let wake = (): void => undefined
  const watcher = watchPaths(
    paths.map((path) => join(folder, path)),
    {
      ignored: ignored.map((one) => (typeof one === 'string' ? join(folder, one) : one)),
      onChange: (path) => {
        come.push(relative(folder, path))
        wake()
      },
    },
  )
  t.teardown(() => watcher[Symbol.dispose]())
  return async (): Promise<string | undefined> => {
    while (come.length === 0) await new Promise<void>((resolve) => (wake = resolve))
    return come.shift()
  }
}

t.test('changes in folders that were there, that came later, and that came again', async (t) => {
  const folder = t.testdir({ src: { deep: { 'a.js': '' } } })
  const next = changes(t, folder, ['src'])
  writeFileSync(join(folder, 'src/deep/a.js'), '1')
  t.equal(await next(), 'src/deep/a.js')
  mkdirSync(join(folder, 'src/new'))
  t.equal(await next(), 'src/new')
  writeFileSync(join(folder, 'src/new/b.js'), '1')
  t.equal(await next(), 'src/new/b.js')
  rmSync(join(folder, 'src/new'), { recursive: true })
  t.match(await next(), 'src/new')
  mkdirSync(join(folder, 'src/new'))
  t.equal(await next(), 'src/new')
  writeFileSync(join(folder, 'src/new/c.js'), '1')
  t.equal(await next(), 'src/new/c.js')
})

t.test('a file, however an editor replaces it, and not its neighbours', async (t) => {
  const folder = t.testdir({ 'target.yaml': '', 'other.yaml': '' })
  const next = changes(t, folder, ['target.yaml'])
  for (const text of ['1', '2']) {
    writeFileSync(join(folder, 'other.yaml'), text)
    writeFileSync(join(folder, 'target.new'), text)
    renameSync(join(folder, 'target.new'), join(folder, 'target.yaml'))
    t.equal(await next(), 'target.yaml')
  }
})

t.test('a file and a folder that were watched, removed, and come again', async (t) => {
  const folder = t.testdir({ dist: { 'a.js': '' }, 'target.yaml': '' })
  const next = changes(t, folder, ['dist', 'target.yaml'])
  for (const text of ['1', '2']) {
    rmSync(join(folder, 'target.yaml'))
    t.equal(await next(), 'target.yaml')
    writeFileSync(join(folder, 'target.yaml'), text)
    t.equal(await next(), 'target.yaml')
    rmSync(join(folder, 'dist'), { recursive: true })
    t.match(await next(), 'dist')
    mkdirSync(join(folder, 'dist'))
    t.equal(await next(), 'dist')
    writeFileSync(join(folder, 'dist/b.js'), text)
    t.equal(await next(), 'dist/b.js')
  }
})

t.test('a folder above what is watched, removed and made anew by a build', async (t) => {
  const folder = t.testdir({ target: { classes: { 'A.class': '' }, 'app.yaml': '' } })
  const home = process.cwd()
  process.chdir(folder)
  t.teardown(() => process.chdir(home))
  const next = changes(t, folder, ['target/classes', 'target/app.yaml'])
  for (const text of ['1', '2']) {
    rmSync(join(folder, 'target'), { recursive: true })
    t.match(await next(), /^target\//)
    mkdirSync(join(folder, 'target/classes'), { recursive: true })
    t.match(await next(), /^target\//)
    writeFileSync(join(folder, 'target/classes/A.class'), text)
    t.equal(await next(), 'target/classes/A.class')
    writeFileSync(join(folder, 'target/app.yaml'), text)
    t.equal(await next(), 'target/app.yaml')
  }
})

t.test('a link that is set to another folder', { skip: isWindows }, async (t) => {
  const folder = t.testdir({ 'release-1': {}, 'release-2': { app: {} }, 'release-3': { app: {} } })
  mkdirSync(join(folder, 'release-1/app'))
  const home = process.cwd()
  process.chdir(folder)
  t.teardown(() => process.chdir(home))
  symlinkSync('release-1', join(folder, 'current'))
  const next = changes(t, folder, ['current', 'current/app'])
  for (const release of ['release-2', 'release-3']) {
    symlinkSync(release, join(folder, 'next'))
    renameSync(join(folder, 'next'), join(folder, 'current'))
    t.match(await next(), /^current/)
    writeFileSync(join(folder, release, 'app', 'a.js'), '1')
    t.equal(await next(), `${release}/app/a.js`)
  }
})

t.test(
  'what the run writes, packages, version control and temporary files of editors do not count',
  async (t) => {
    const folder = t.testdir({ out: {}, node_modules: {}, '.git': {}, 'junit.xml': '' })
    const log = openSync(join(folder, 'log.txt'), 'w')
    t.teardown(() => closeSync(log))
    const next = changes(t, folder, ['.'], ['out', 'junit.xml', log])
    for (const path of [
      'a.js',
      'out/report.json',
      'node_modules/x.js',
      '.git/index',
      'junit.xml',
      'a.js~',
      '.a.js.swp',
      '4913',
      'log.txt',
    ])
      writeFileSync(join(folder, path), '1')
    t.equal(await next(), 'a.js', 'the last that counts')
  },
)

t.test('a path that is not there', async (t) => {
  const watching = () => watchPaths(['no-such-folder'], { ignored: [], onChange: () => undefined })
  t.throws(watching, new AssayError('usage', '--watch no-such-folder: there is no such file or folder'))
})
