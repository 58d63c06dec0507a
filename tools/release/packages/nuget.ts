/**
 * The packages of a .NET tool, without an SDK: one that `dotnet tool install token-assay` names, which has no program, and one for each
 * platform, which the SDK takes by it. SDK 10 and later read that: https://learn.microsoft.com/dotnet/core/tools/rid-specific-tools.
 */
import type { Platform } from '../platforms.js'
import { DESCRIPTION, type Release } from './release.js'
import { type ZipEntry, zip } from './zip.js'

const ID = 'token-assay'
const XML = '<?xml version="1.0" encoding="utf-8"?>\n'
const MANIFEST = 'http://schemas.microsoft.com/packaging/2010/07/manifest'

export function nameOfPackage({ version }: Release, platform?: Platform): string {
  return `${idOf(platform)}.${version}.nupkg`
}

/** The package that names the others. */
export function pointerPackage(release: Release): Buffer {
  const packages = release.archives.map(
    ({ platform }) =>
      `    <RuntimeIdentifierPackage RuntimeIdentifier="${platform.rid}" Id="${idOf(platform)}" />\n`,
  )
  const settings = `  <Commands>
    <Command Name="${ID}" />
  </Commands>
  <RuntimeIdentifierPackages>
${packages.join('')}  </RuntimeIdentifierPackages>
`
  return pack(release, undefined, [settingsFile('tools/any/any', settings)])
}

/** @param executable the file for that platform */
export function platformPackage(
  release: Release,
  platform: Platform,
  executable: Buffer,
  licenses: Buffer,
): Buffer {
  const folder = `tools/any/${platform.rid}`
  const file = platform.os === 'win32' ? `${ID}.exe` : ID
  const settings = `  <Commands>
    <Command Name="${ID}" EntryPoint="${file}" Runner="executable" />
  </Commands>
`
  return pack(release, platform, [
    settingsFile(folder, settings),
    { path: `${folder}/${file}`, bytes: executable, executable: true },
    { path: `${folder}/LICENSES`, bytes: licenses },
  ])
}

function idOf(platform?: Platform): string {
  return platform === undefined ? ID : `${ID}.${platform.rid}`
}

function settingsFile(folder: string, content: string): ZipEntry {
  const bytes = Buffer.from(`${XML}<DotNetCliTool Version="2">\n${content}</DotNetCliTool>\n`)
  return { path: `${folder}/DotnetToolSettings.xml`, bytes }
}

/** By the conventions of OPC, ECMA-376 part 2: every part has a type, and the first of all is named. */
function pack(release: Release, platform: Platform | undefined, files: readonly ZipEntry[]): Buffer {
  const nuspec = `${idOf(platform)}.nuspec`
  const relations = `${XML}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
  <Relationship Type="${MANIFEST}" Target="/${nuspec}" Id="R1" />
</Relationships>
`
  const untyped = files.filter(({ path }) => !path.endsWith('.xml'))
  const overrides = untyped.map(
    ({ path }) => `  <Override PartName="/${path}" ContentType="application/octet" />\n`,
  )
  const types = `${XML}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
  <Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml" />
  <Default Extension="nuspec" ContentType="application/octet" />
  <Default Extension="xml" ContentType="application/xml" />
${overrides.join('')}</Types>
`
  return zip([
    { path: '[Content_Types].xml', bytes: Buffer.from(types) },
    { path: '_rels/.rels', bytes: Buffer.from(relations) },
    { path: nuspec, bytes: Buffer.from(nuspecOf(release, platform)) },
    ...files,
  ])
}

function nuspecOf({ version, repository }: Release, platform?: Platform): string {
  return `${XML}<package xmlns="http://schemas.microsoft.com/packaging/2013/05/nuspec.xsd">
  <metadata>
    <id>${idOf(platform)}</id>
    <version>${version}</version>
    <authors>Token Assay</authors>
    <license type="expression">MIT</license>
    <projectUrl>${repository}</projectUrl>
    <description>${DESCRIPTION}</description>
    <tags>oauth2 token conformance testing</tags>
    <packageTypes>
      <packageType name="${platform === undefined ? 'DotnetTool' : 'DotnetToolRidPackage'}" />
    </packageTypes>
    <repository type="git" url="${repository}.git" />
  </metadata>
</package>
`
}
