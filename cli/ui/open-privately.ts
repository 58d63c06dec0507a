import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { openInBrowser } from '../shared/open-in-browser.js'

/**
 * Opens an address that has a secret. Every user of a machine sees with which arguments a program is started, so the browser
 * gets a file that this user alone can read, and goes on from there. Where there is no browser nothing happens.
 * @param address without characters that HTML would have to escape
 * @returns what removes the file
 */
export function openPrivately(folder: string, address: string): () => void {
  const file = join(folder, 'open-ui.html')
  const remove = (): void => rmSync(file, { force: true })
  try {
    mkdirSync(folder, { recursive: true })
    remove()
    const page = `<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0; url=${address}"><title>Token Assay</title>\n`
    writeFileSync(file, page, { flag: 'wx', mode: 0o600 })
    void openInBrowser(pathToFileURL(file).href)
    return remove
  } catch {
    // The address is printed, too.
    return () => undefined
  }
}
