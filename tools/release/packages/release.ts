import type { Platform } from '../platforms.js'

/** What every kind of package says of a release. */
export interface Release {
  readonly version: string
  /** Such as `https://github.com/OWNER/token-assay`. */
  readonly repository: string
  /** One for each platform. */
  readonly archives: readonly Archive[]
}

export interface Archive {
  readonly platform: Platform
  /** Of its file: 64 hexadecimal digits, in lower case. */
  readonly sha256: string
}

/** At most 80 characters, without an article and a full stop: Homebrew asks for that. */
export const SUMMARY = 'Test whether a token service and its clients keep their contract'
export const DESCRIPTION =
  'Judges a token issuance service (POST /Token, password grant) by its specification, and the clients of one; ' +
  'with a reference server. The file holds Node, and needs no other.'

export function archiveOfPlatform({ archives }: Release, name: string): Archive {
  const archive = archives.find(({ platform }) => platform.name === name)
  if (archive === undefined) throw new Error(`the release has no archive for ${name}`)
  return archive
}

/** Where the file of a release is once it is published. */
export function addressOf({ repository, version }: Release, file: string): string {
  return `${repository}/releases/download/v${version}/${file}`
}
