import { spawn } from 'node:child_process'
import { withoutOurs } from '../../conformance/target/environment.js'

/** Some openers end at once, others with the browser: one that has not failed by then has opened it. */
const FAILS_WITHIN_MS = 3000

/** What opens an address on this system; each takes it as one argument. */
function opener(): readonly [string, ...string[]] {
  if (process.platform === 'darwin') return ['open']
  return process.platform === 'win32' ? ['rundll32', 'url.dll,FileProtocolHandler'] : ['xdg-open']
}

/** Opens an address in the user's browser, which outlives this process. @returns why it could not be opened; never throws */
export function openInBrowser(address: string): Promise<string | undefined> {
  const [command, ...args] = opener()
  const env = withoutOurs(process.env)
  return new Promise((resolve) => {
    const child = spawn(command, [...args, address], { detached: true, stdio: 'ignore', env })
    const timer = setTimeout(() => end(undefined), FAILS_WITHIN_MS)
    const end = (problem: string | undefined): void => {
      clearTimeout(timer)
      child.unref()
      resolve(problem)
    }
    child.on('error', ({ message }) => end(message))
    child.on('exit', (code) => end(code === 0 ? undefined : `${command} ended with ${code ?? 'a signal'}`))
  })
}
