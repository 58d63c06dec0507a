import { readdirSync, readFileSync } from 'node:fs'

/**
 * Ends what a command has started in a session of its own, out of its process group: such a process still has the variables
 * of its call. On Linux alone, where they can be read.
 * @param variable one that no other call has, as `NAME=value`
 * @returns whether there was any
 */
export function endStrays(variable: string): boolean {
  if (process.platform !== 'linux') return false
  // Twice: while a process becomes another program, it has no variables for a moment.
  return [endAll(variable), endAll(variable)].includes(true)
}

function endAll(variable: string): boolean {
  const strays = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && has(name, variable))
  return strays.map(end).includes(true)
}

function has(pid: string, variable: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(variable)
  } catch {
    // It has ended, or is somebody else's.
    return false
  }
}

function end(pid: string): boolean {
  try {
    return process.kill(Number(pid), 'SIGKILL')
  } catch {
    return false
  }
}
