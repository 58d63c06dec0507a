/** What the packages of a release say, read by other programs than wrote them: tar, unzip, Ruby, libxml. */
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { validateXML } from 'xmllint-wasm'
import { parse } from 'yaml'
import { runAsUser } from '../../../tests/fixtures/run-as-user.js'
import { executableOf, PLATFORMS } from '../platforms.js'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const REPOSITORY = 'https://github.com/OWNER/token-assay'
const { version: VERSION }: { version: string } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
const FILES = [
  ...['linux-arm64', 'linux-x64-musl', 'linux-x64', 'macos-arm64', 'macos-x64'].map(
    (name) => `${name}.tar.xz`,
  ),
  'windows-x64.zip',
]
const RIDS = ['linux-arm64', 'linux-musl-x64', 'linux-x64', 'osx-arm64', 'osx-x64', 'win-x64']
const without = (...commands: readonly string[]): string | false => {
  if (process.platform !== 'linux') return 'a release is packed on Linux'
  const missing = commands.find((name) => spawnSync('sh', ['-c', `command -v ${name}`]).status !== 0)
  return missing !== undefined && `${missing} is not here`
}

const from = t.testdir({
  LICENSES: 'licences',
  ...Object.fromEntries(
    PLATFORMS.map((platform) => [executableOf(platform), `${platform.name} `.repeat(1000)]),
  ),
})
const into = join(from, 'release')
const write = (...args: readonly string[]) =>
  runAsUser(
    'env',
    [`REPOSITORY=${REPOSITORY}`, 'npx', 'tsx', 'tools/release/packages/write.ts', ...args],
    ROOT,
  )
const sha256Of = (file: string): string =>
  createHash('sha256')
    .update(readFileSync(join(into, file)))
    .digest('hex')
const unzipped = (file: string, path: string): string =>
  execFileSync('unzip', ['-p', join(into, file), path.replaceAll('[', '\\[')], { encoding: 'utf8' })

t.before(async () => {
  if (without('xz') !== false) return
  const { exitCode, stderr } = await write(from, into)
  if (exitCode !== 0) throw new Error(stderr)
})

t.test('what is missing is named, and nothing is written', { skip: without('xz') }, async (t) => {
  const empty = t.testdir({ LICENSES: '' })
  t.match(await write(empty, join(empty, 'release')), {
    exitCode: 2,
    stderr: `no packages: token-assay-linux-x64 is not in ${empty}\n`,
  })
  t.strictSame(readdirSync(empty), ['LICENSES'])
  t.match(await write(), { exitCode: 2, stderr: /from which folder/ })
  const nowhere = ['npx', 'tsx', 'tools/release/packages/write.ts', from, into]
  t.match(await runAsUser('env', ['REPOSITORY=x', ...nowhere], ROOT), { exitCode: 2, stderr: /REPOSITORY/ })
})

t.test('archives', { skip: without('xz', 'unzip') }, async (t) => {
  for (const file of FILES) {
    const folder = file.replace(/\.(?:tar\.xz|zip)$/, '')
    const command = `token-assay-${folder}/token-assay${folder === 'windows-x64' ? '.exe' : ''}`
    const path = join(into, `token-assay-${file}`)
    const listed = file.endsWith('.zip') ? ['zipinfo', path] : ['tar', '-tvJf', path]
    const list = execFileSync(listed[0] ?? '', listed.slice(1), { encoding: 'utf8' })
    t.match(list, new RegExp(`-rwxr-xr-x .* ${command}\n`), file)
    t.match(list, new RegExp(`-rw-r--r-- .* token-assay-${folder}/LICENSES\n`), file)
    const read = file.endsWith('.zip') ? ['unzip', '-p', path, command] : ['tar', '-xJOf', path, command]
    t.equal(
      execFileSync(read[0] ?? '', read.slice(1), { encoding: 'utf8' }),
      `${folder} `.repeat(1000),
      `${file} holds the command`,
    )
  }
  t.equal(spawnSync('unzip', ['-tq', join(into, 'token-assay-windows-x64.zip')]).status, 0)
})

t.test('the same files give the same archives', { skip: without('xz') }, async (t) => {
  const again = join(from, 'again')
  t.equal((await write(from, again)).exitCode, 0)
  for (const file of readdirSync(into).filter((file) => file !== 'winget'))
    t.ok(readFileSync(join(into, file)).equals(readFileSync(join(again, file))), file)
})

t.test('a formula for Homebrew', { skip: without('xz', 'ruby') }, async (t) => {
  // Of Homebrew's language no more than the formula needs; what it does not know is an error of Ruby.
  const brew = `
    class Formula
      class << self
        %i[desc homepage version license url sha256].each { |name| define_method(name) { |value| $said[name] = value } }
        %i[macos linux arm intel].each { |name| define_method("on_#{name}") { |&block| block.call if $here.include? name } }
        def test; end
      end
    end
    $said = {}
    $here = ARGV.drop(1).map(&:to_sym)
    load ARGV[0]
    puts $said.map { |name, value| "#{name} #{value}" }`
  const formula = join(into, 'token-assay.rb')
  t.equal(execFileSync('ruby', ['-wc', formula], { encoding: 'utf8' }), 'Syntax OK\n')
  for (const [system, cpu, name] of [
    ['macos', 'arm', 'macos-arm64'],
    ['macos', 'intel', 'macos-x64'],
    ['linux', 'arm', 'linux-arm64'],
    ['linux', 'intel', 'linux-x64'],
  ] as const) {
    const lines = execFileSync('ruby', ['-W0', '-e', brew, formula, system, cpu], { encoding: 'utf8' }).split(
      '\n',
    )
    const file = `token-assay-${name}.tar.xz`
    t.strictSame(lines.slice(1, 6), [
      `homepage ${REPOSITORY}`,
      `version ${VERSION}`,
      'license MIT',
      `url ${REPOSITORY}/releases/download/v${VERSION}/${file}`,
      `sha256 ${sha256Of(file)}`,
    ])
    // What `brew audit` asks of a description.
    t.match(lines[0], /^desc (?!(?:An?|The) )[A-Z].{0,78}[^.]$/)
  }
})

t.test('manifests for winget', { skip: without('xz') }, async (t) => {
  const names = [
    'OWNER.TokenAssay.installer.yaml',
    'OWNER.TokenAssay.locale.en-US.yaml',
    'OWNER.TokenAssay.yaml',
  ]
  t.strictSame(readdirSync(join(into, 'winget')).toSorted(), names)
  const [installer, locale, version] = names.map((name) =>
    parse(readFileSync(join(into, 'winget', name), 'utf8')),
  )
  for (const [type, manifest] of Object.entries({ installer, defaultLocale: locale, version }))
    t.match(manifest, {
      PackageIdentifier: 'OWNER.TokenAssay',
      PackageVersion: VERSION,
      ManifestType: type,
      ManifestVersion: '1.10.0',
    })
  t.equal(version.DefaultLocale, locale.PackageLocale)
  for (const field of ['Publisher', 'PackageName', 'License', 'ShortDescription'])
    t.type(locale[field], 'string', field)
  t.strictSame(installer.Installers, [
    {
      Architecture: 'x64',
      InstallerUrl: `${REPOSITORY}/releases/download/v${VERSION}/token-assay-windows-x64.zip`,
      InstallerSha256: sha256Of('token-assay-windows-x64.zip').toUpperCase(),
    },
  ])
  const [{ RelativeFilePath = '', PortableCommandAlias = '' } = {}] = installer.NestedInstallerFiles
  t.equal(RelativeFilePath, 'token-assay-windows-x64\\token-assay.exe', 'as it is in the archive')
  t.equal(PortableCommandAlias, 'token-assay')
})

/** What `dotnet` and nuget.org need of the two files of XML. */
const SETTINGS = `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">
  <xs:element name="DotNetCliTool"><xs:complexType><xs:sequence>
    <xs:element name="Commands"><xs:complexType><xs:sequence>
      <xs:element name="Command"><xs:complexType>
        <xs:attribute name="Name" use="required"/><xs:attribute name="EntryPoint"/>
        <xs:attribute name="Runner"><xs:simpleType><xs:restriction base="xs:string">
          <xs:enumeration value="dotnet"/><xs:enumeration value="executable"/>
        </xs:restriction></xs:simpleType></xs:attribute>
      </xs:complexType></xs:element>
    </xs:sequence></xs:complexType></xs:element>
    <xs:element name="RuntimeIdentifierPackages" minOccurs="0"><xs:complexType><xs:sequence>
      <xs:element name="RuntimeIdentifierPackage" maxOccurs="unbounded"><xs:complexType>
        <xs:attribute name="RuntimeIdentifier" use="required"/><xs:attribute name="Id" use="required"/>
      </xs:complexType></xs:element>
    </xs:sequence></xs:complexType></xs:element>
  </xs:sequence><xs:attribute name="Version" fixed="2" use="required"/></xs:complexType></xs:element>
</xs:schema>`
const NUSPEC_NAMESPACE = 'http://schemas.microsoft.com/packaging/2013/05/nuspec.xsd'
const NUSPEC = `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="${NUSPEC_NAMESPACE}"
    elementFormDefault="qualified"><xs:element name="package"><xs:complexType><xs:sequence>
  <xs:element name="metadata"><xs:complexType><xs:all>
    <xs:element name="id"/><xs:element name="version"/><xs:element name="authors"/><xs:element name="description"/>
    <xs:element name="license"/><xs:element name="projectUrl" type="xs:anyURI"/><xs:element name="tags"/>
    <xs:element name="packageTypes"/><xs:element name="repository"/>
  </xs:all></xs:complexType></xs:element>
</xs:sequence></xs:complexType></xs:element></xs:schema>`

t.test('packages of a .NET tool', { skip: without('xz', 'unzip') }, async (t) => {
  const packages = [undefined, ...RIDS].map((rid) => {
    const id = rid === undefined ? 'token-assay' : `token-assay.${rid}`
    const file = `${id}.${VERSION}.nupkg`
    const settings = `tools/any/${rid ?? 'any'}/DotnetToolSettings.xml`
    return { rid, id, file, nuspec: unzipped(file, `${id}.nuspec`), settings: unzipped(file, settings) }
  })
  const valid = async (schema: string, texts: readonly string[]) =>
    validateXML({ xml: texts.map((contents, i) => ({ fileName: `${i}.xml`, contents })), schema })
  const settings = packages.map(({ settings }) => settings)
  t.strictSame((await valid(SETTINGS, settings)).errors, [])
  t.strictSame(
    (
      await valid(
        NUSPEC,
        packages.map(({ nuspec }) => nuspec),
      )
    ).errors,
    [],
  )

  const [pointer = ''] = settings
  t.strictSame(
    [...pointer.matchAll(/RuntimeIdentifier="(.*)" Id="(.*)"/g)].map(([, rid, id]) => [rid, id]).toSorted(),
    RIDS.map((rid) => [rid, `token-assay.${rid}`]),
  )
  t.notMatch(pointer, 'EntryPoint')
  for (const { rid, id, file, nuspec, settings } of packages) {
    t.equal(spawnSync('unzip', ['-tq', join(into, file)]).status, 0, file)
    t.match(nuspec, `<id>${id}</id>\n    <version>${VERSION}</version>`)
    t.match(nuspec, `<packageType name="${rid === undefined ? 'DotnetTool' : 'DotnetToolRidPackage'}" />`)
    t.match(unzipped(file, '_rels/.rels'), `Target="/${id}.nuspec"`)
    if (rid === undefined) continue
    const command = rid === 'win-x64' ? 'token-assay.exe' : 'token-assay'
    t.match(settings, `EntryPoint="${command}" Runner="executable"`)
    t.match(unzipped(file, '[Content_Types].xml'), `PartName="/tools/any/${rid}/${command}"`)
    const platform = PLATFORMS.find((platform) => platform.rid === rid)
    t.equal(unzipped(file, `tools/any/${rid}/${command}`), `${platform?.name} `.repeat(1000))
  }
})
