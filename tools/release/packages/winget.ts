/** The three manifests for winget, by version 1.10 of its schemas: https://github.com/microsoft/winget-cli/tree/master/schemas. */
import { stringify } from 'yaml'
import { archiveOf } from '../platforms.js'
import { addressOf, archiveOfPlatform, DESCRIPTION, type Release, SUMMARY } from './release.js'

const MANIFEST = '1.10.0'
const COMMAND = 'token-assay'

/** @returns the text of each file by its name */
export function manifests(release: Release): ReadonlyMap<string, string> {
  const publisher = /^https:\/\/[^/]+\/([^/]+)\//.exec(release.repository)?.[1]
  if (publisher === undefined) throw new Error(`${release.repository} names no owner, as winget needs it`)
  const id = `${publisher}.TokenAssay`
  const { platform, sha256 } = archiveOfPlatform(release, 'windows-x64')
  const write = (type: string, fields: object): string => {
    const head = { PackageIdentifier: id, PackageVersion: release.version }
    const schema = `# yaml-language-server: $schema=https://aka.ms/winget-manifest.${type}.${MANIFEST}.schema.json\n\n`
    return (
      schema +
      stringify({ ...head, ...fields, ManifestType: type, ManifestVersion: MANIFEST }, { lineWidth: 0 })
    )
  }
  const installer = {
    InstallerType: 'zip',
    NestedInstallerType: 'portable',
    NestedInstallerFiles: [
      { RelativeFilePath: `token-assay-${platform.name}\\token-assay.exe`, PortableCommandAlias: COMMAND },
    ],
    Commands: [COMMAND],
    Installers: [
      {
        Architecture: platform.cpu,
        InstallerUrl: addressOf(release, archiveOf(platform)),
        InstallerSha256: sha256.toUpperCase(),
      },
    ],
  }
  const locale = {
    PackageLocale: 'en-US',
    Publisher: publisher,
    PackageName: 'Token Assay',
    PackageUrl: release.repository,
    License: 'MIT',
    ShortDescription: SUMMARY,
    Description: DESCRIPTION,
    Moniker: COMMAND,
    Tags: ['conformance', 'oauth2', 'testing', 'token'],
    ReleaseNotesUrl: `${release.repository}/releases/tag/v${release.version}`,
  }
  return new Map([
    [`${id}.yaml`, write('version', { DefaultLocale: 'en-US' })],
    [`${id}.installer.yaml`, write('installer', installer)],
    [`${id}.locale.en-US.yaml`, write('defaultLocale', locale)],
  ])
}
