import { type ChildProcess, spawnSync } from 'node:child_process'

/** A program that was started, with all that it started. */
export interface ProcessTree {
  /** @returns whether there is still a process; `0` only asks */
  signal(name: NodeJS.Signals | 0): boolean
}

/** What ends processes; tests give another one. */
export interface System {
  readonly platform: NodeJS.Platform
  readonly kill: (pid: number, name: NodeJS.Signals | 0) => void
  /** Runs a program to its end. @returns whether it succeeded */
  readonly run: (command: string, args: readonly string[]) => boolean
}

export const SYSTEM: System = {
  platform: process.platform,
  kill: (pid, name) => void process.kill(pid, name),
  run: (command, args) => spawnSync(command, args, { stdio: 'ignore', windowsHide: true }).status === 0,
}

/** How a program is started, so that what it starts can be stopped with it. */
export function treeOptions({ platform }: Pick<System, 'platform'>): {
  readonly detached: boolean
  readonly windowsHide: boolean
} {
  // A group of its own; on Windows that would be a window of its own.
  return { detached: platform !== 'win32', windowsHide: true }
}

export function processTree(
  child: Pick<ChildProcess, 'pid' | 'exitCode' | 'signalCode' | 'kill'>,
  { platform, kill, run }: System = SYSTEM,
): ProcessTree {
  const isAlive = (): boolean => child.exitCode === null && child.signalCode === null
  return {
    signal: (name) => {
      const { pid } = child
      if (pid === undefined) return false
      if (platform === 'win32') {
        // There are no groups and no signals: every one of them ends the tree at once.
        if (name === 0 || !isAlive()) return isAlive()
        return run('taskkill', ['/pid', String(pid), '/t', '/f']) || child.kill()
      }
      try {
        kill(-pid, name)
        return true
      } catch {
        return false
      }
    },
  }
}

/** Kills a program by its id, with all that it started. */
export function killTree(pid: number): void {
  processTree({ pid, exitCode: null, signalCode: null, kill: () => false }).signal('SIGKILL')
}
