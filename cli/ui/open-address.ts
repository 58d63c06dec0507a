import { spawn } from 'node:child_process'
import { platform } from 'node:process'

/** Opens an address in the user's browser. Where there is none, nothing happens: the address is printed too. */
export function openAddress(address: string): void {
  const [program, ...args] = COMMANDS[platform] ?? ['xdg-open']
  const child = spawn(program, [...args, address], { detached: true, stdio: 'ignore' })
  child.on('error', () => undefined)
  child.unref()
}

const COMMANDS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  // No shell: `&` in an address would end the command.
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}
