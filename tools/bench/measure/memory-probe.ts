/** Imported into a server's process: reports its memory in bytes when asked. */
export interface MemoryUse {
  /** The resident set of the process. */
  readonly rss: number
  /** The live heap, after a garbage collection. */
  readonly heapUsed: number
}

process.on('message', () => {
  const { rss } = process.memoryUsage()
  // Twice: what finalizers release is collected only the second time.
  globalThis.gc?.()
  globalThis.gc?.()
  process.send?.({ rss, heapUsed: process.memoryUsage().heapUsed } satisfies MemoryUse)
})
// The channel must not keep the process alive.
process.channel?.unref()
