import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

/** What a command started out of its process group, in a session of its own. */
export interface StrayProcesses {
  /** What the command is started by, if not by itself. */
  readonly prefix: readonly string[]
  /**
   * Ends them, and what is left of a process group. What has ended, but was not yet asked how, is none of it.
   * @returns whether there was any; where this system does not show it, `undefined`
   */
  end(group: number): boolean | undefined
}

/** Among the fields of `stat` that follow the state (proc(5): 5 and 22). */
const GROUP = 1
const START_TIME = 18

let hasPrlimit = false

/** Times that all processes are looked at: what is ended may just have started another. */
const MAX_LOOKS = 10

/**
 * Marks the processes of the command that is started next, in the same turn of the event loop. On Linux alone, where another
 * process can be looked at: elsewhere none is found.
 * @param variable one that no other command has in its environment, as `NAME=value`
 * @param canStart it has been started before. Then another process may start it, which takes no time of this one; of a
 *   command that cannot be started that process would not say why
 */
export function markNextCommand(variable: string, canStart: boolean): StrayProcesses {
  if (process.platform !== 'linux') return { prefix: [], end: () => undefined }
  const since = ticksSinceBoot()
  const microseconds = 2 ** 52 + Math.floor(Math.random() * 2 ** 51)
  const flag = `--rttime=${microseconds}:`
  hasPrlimit = (canStart && hasPrlimit) || isSetHere(flag)
  const limit = hasPrlimit ? `Max realtime timeout ${microseconds} ` : undefined
  return {
    prefix: canStart && hasPrlimit ? ['prlimit', flag, '--'] : [],
    end: (group) => {
      let found = false
      for (let looks = 0; looks < MAX_LOOKS; looks += 1) {
        const strays = otherProcesses().filter((pid) => {
          const own = groupSince(pid, since)
          return own !== undefined && (own === group || hasMark(pid, limit, variable))
        })
        if (!strays.map(end).includes(true)) return found
        found = true
      }
      return found
    },
  }
}

/**
 * Sets a limit that limits nothing: how many microseconds a real-time process may compute without waiting, more than a
 * century. A process passes it on to all that it starts, and neither another session nor an empty environment takes it away.
 * @returns whether there is prlimit (util-linux)
 */
function isSetHere(flag: string): boolean {
  const args = ['--pid', String(process.pid), flag]
  return spawnSync('prlimit', args, { stdio: 'ignore', env: { PATH: process.env.PATH } }).status === 0
}

function hasMark(pid: string, limit: string | undefined, variable: string): boolean {
  return (
    (limit !== undefined && textOf(pid, 'limits').replace(/ +/g, ' ').includes(limit)) ||
    textOf(pid, 'environ').split('\0').includes(variable)
  )
}

function otherProcesses(): readonly string[] {
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
}

/**
 * Its group, if it was started since then, which nearly no process was: looking at the others takes long. What has ended,
 * and was not asked how by what started it, is still listed.
 */
function groupSince(pid: string, since: number): number | undefined {
  const [state = 'Z', ...fields] = textOf(pid, 'stat')
    .replace(/^.*\) /s, '')
    .split(' ')
  const isAlive = state !== 'Z' && Number(fields[START_TIME]) >= since
  return isAlive ? Number(fields[GROUP]) : undefined
}

/** In the unit of `stat`: hundredths of a second. The kernel rounds down, and so does this. */
function ticksSinceBoot(): number {
  return Math.floor(Number.parseFloat(readFileSync('/proc/uptime', 'latin1')) * 100) - 1
}

/** Nothing of a process that has ended, or is somebody else's. */
function textOf(pid: string, name: 'stat' | 'limits' | 'environ'): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'latin1')
  } catch {
    return ''
  }
}

function end(pid: string): boolean {
  try {
    return process.kill(Number(pid), 'SIGKILL')
  } catch {
    return false
  }
}
