/** Runs a few tasks at a time and keeps a few waiting; more are rejected, so that load cannot pile up. */
export interface WorkQueue {
  /** The task's own promise, or `undefined` at once when the queue is full and the task will not run. */
  offer<T>(task: () => Promise<T>): Promise<T> | undefined
}

export function createWorkQueue(concurrency: number, capacity: number): WorkQueue {
  const waiting: (() => void)[] = []
  let running = 0

  const release = (): void => {
    const next = waiting.shift()
    if (next === undefined) running -= 1
    else next()
  }

  const run = async <T>(task: () => Promise<T>): Promise<T> => {
    try {
      return await task()
    } finally {
      release()
    }
  }

  return {
    offer(task) {
      if (running < concurrency) {
        running += 1
        return run(task)
      }
      if (waiting.length >= capacity) return undefined
      return new Promise<void>((resolve) => waiting.push(resolve)).then(() => run(task))
    },
  }
}
