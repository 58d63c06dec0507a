import type { Ports } from '../ports.js'

/** Watches one folder at most. */
export interface Watcher {
  readonly folder: () => string | undefined
  /** In place of the folder that was watched before. @throws AssayError for a folder that cannot be watched */
  watch(folder: string): void
  unwatch(): void
}

/** @param onTurn is called when another folder is watched, or none */
export function createWatcher(
  watchFolder: Ports['watch'],
  onFileChange: () => void,
  onTurn: () => void,
): Watcher {
  let watched: { readonly folder: string; readonly end: () => void } | undefined
  return {
    folder: () => watched?.folder,
    watch(folder) {
      const end = watchFolder(folder, onFileChange)
      watched?.end()
      watched = { folder, end }
      onTurn()
    },
    unwatch() {
      watched?.end()
      watched = undefined
      onTurn()
    },
  }
}
