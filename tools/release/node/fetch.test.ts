/** Node's own build is taken by a signed checksum and by nothing else: here from a local server, signed by a key of this test. */
import { execFile, execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'

const FETCH = fileURLToPath(new URL('fetch.sh', import.meta.url))
const VERSION = '99.1.2'
const NAME = `node-v${VERSION}-linux-x64`
const needed = ['gpg', 'gpgv', 'curl', 'xz', 'zip', 'unzip', 'sha256sum', 'realpath']
const lacks = needed.find((name) => !commandIsThere(name))

function commandIsThere(name: string): boolean {
  try {
    return execFileSync('sh', ['-c', `command -v ${name}`]).length > 0
  } catch {
    return false
  }
}

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

t.test('Node itself', { skip: lacks !== undefined && `${lacks} is not here` }, async (t) => {
  // Not below the repository: the socket of gpg's agent has a short path.
  const home = mkdtempSync(join(tmpdir(), 'keys-'))
  const gpg = (...args: readonly string[]) =>
    execFileSync('gpg', ['--homedir', home, '--batch', '--quiet', '--passphrase', '', ...args], {
      stdio: 'pipe',
    })
  t.teardown(() => {
    execFileSync('gpgconf', ['--homedir', home, '--kill', 'all'])
    rmSync(home, { recursive: true, force: true })
  })
  const cwd = t.testdir({ built: { [NAME]: { bin: { node: 'the real one' }, LICENSE: 'licence' } } })
  execFileSync('tar', ['-cJf', join(cwd, 'archive'), '-C', join(cwd, 'built'), NAME])
  const archive = readFileSync(join(cwd, 'archive'))
  const sum = sha256(archive)
  const signed = (signer: string, text: string): Buffer => {
    writeFileSync(join(cwd, 'sums'), text)
    return gpg('--local-user', signer, '--output', '-', '--clearsign', join(cwd, 'sums'))
  }
  for (const who of ['releaser', 'other'])
    gpg('--quick-generate-key', `${who}@example.org`, 'ed25519', 'sign', 'never')
  const keys = join(cwd, 'keys.gpg')
  gpg('--output', keys, '--export', 'releaser@example.org')

  const line = `${sum}  ${NAME}.tar.xz\n`
  const good = signed('releaser', line)
  const files = new Map<string, Buffer>()
  const server = createServer(({ url = '' }, answer) => {
    const file = files.get(url.replace(`/dist/v${VERSION}/`, ''))
    answer.writeHead(file === undefined ? 404 : 200).end(file)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const into = join(cwd, 'here', 'node')
  const run = (platform: string, dist = `http://127.0.0.1:${port}/dist`) => {
    rmSync(into, { recursive: true, force: true })
    return new Promise((resolve) =>
      // A shell warns of a locale that this machine does not have.
      execFile(
        FETCH,
        [VERSION, platform, into, dist, keys],
        { cwd: '/', env: { ...process.env, LC_ALL: 'C' } },
        (error, _, stderr) => resolve([error?.code ?? 0, existsSync(into), stderr]),
      ),
    )
  }
  const fetch = async (sums: Buffer | undefined, bytes: Buffer, dist?: string) => {
    files.clear()
    if (sums !== undefined) files.set('SHASUMS256.txt.asc', sums)
    files.set(`${NAME}.tar.xz`, bytes)
    return run('linux-x64', dist)
  }
  const refusals = {
    'another archive': [good, Buffer.concat([archive, Buffer.from('x')]), /is not what was published/],
    'another signer': [signed('other', line), archive, /is not signed by a releaser/],
    'a changed checksum': [
      Buffer.from(`${good}`.replace(sum, sha256(Buffer.from('another')))),
      archive,
      /is not signed/,
    ],
    'a line beside what is signed': [
      Buffer.concat([Buffer.from(line), signed('releaser', 'x')]),
      archive,
      /there is no checksum/,
    ],
    'no signature': [Buffer.from(line), archive, /is not signed/],
    'the checksums of another version': [
      signed('releaser', line.replace('99.1.2', '99.1.1')),
      archive,
      /there is no checksum/,
    ],
    'no checksums': [undefined, archive, /404/],
  } as const
  t.strictSame(await fetch(good, archive), [0, true, ''])
  t.equal(readFileSync(join(into, 'bin', 'node'), 'utf8'), 'the real one')
  for (const [name, [sums, bytes, message]] of Object.entries(refusals))
    t.match(await fetch(sums, bytes), [1, false, message], name)
  t.match(await fetch(good, archive, 'http://127.0.0.1:1/dist'), [3, false, /./], 'out of reach')
  // Windows has another archive, and musl checksums without a signature.
  const windows = `node-v${VERSION}-win-x64`
  mkdirSync(join(cwd, windows))
  writeFileSync(join(cwd, windows, 'node.exe'), 'the real one')
  writeFileSync(join(cwd, windows, 'LICENSE'), 'licence')
  execFileSync('zip', ['-qr', 'archive.zip', windows], { cwd })
  const zip = readFileSync(join(cwd, 'archive.zip'))
  files.clear()
  files.set(`${windows}.zip`, zip)
  files.set('SHASUMS256.txt.asc', signed('releaser', `${sha256(zip)}  ${windows}.zip\n`))
  t.strictSame(await run('win-x64'), [0, true, ''])
  t.equal(readFileSync(join(into, 'bin', 'node.exe'), 'utf8'), 'the real one')
  files.set(`${windows}.zip`, Buffer.concat([zip, Buffer.from('x')]))
  t.match(await run('win-x64'), [1, false, /is not what was published/])

  const musl = `${NAME}-musl`
  renameSync(join(cwd, 'built', NAME), join(cwd, 'built', musl))
  execFileSync('tar', ['-cJf', join(cwd, 'archive'), '-C', join(cwd, 'built'), musl])
  const other = readFileSync(join(cwd, 'archive'))
  files.clear()
  files.set(`${musl}.tar.xz`, other)
  files.set('SHASUMS256.txt', Buffer.from(`${sha256(other)}  ${musl}.tar.xz\n`))
  t.strictSame(await run('linux-x64-musl'), [0, true, ''])
  files.set('SHASUMS256.txt', Buffer.from(`${sha256(zip)}  ${musl}.tar.xz\n`))
  t.match(await run('linux-x64-musl'), [1, false, /is not what was published/])
})
