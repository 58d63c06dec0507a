/** Imported into a server's process: tells its memory whenever it is asked, in bytes. */
export interface Memory {
  /** What the process holds, as it runs. */
  readonly rss: number
  /** What is alive on the heap: all garbage has been collected before. */
  readonly heapUsed: number
}

process.on('message', () => {
  const { rss } = process.memoryUsage()
  // Twice: what finalizers let go of is garbage only then.
  globalThis.gc?.()
  globalThis.gc?.()
  process.send?.({ rss, heapUsed: process.memoryUsage().heapUsed } satisfies Memory)
})
// To be asked is no reason to live.
process.channel?.unref()
