// Loaded before what is measured: tells what it has cost when it ends (in the file BENCH_USAGE), or when it is asked.
const { subscribe } = require('node:diagnostics_channel')
const { writeFileSync } = require('node:fs')

let connections = 0
subscribe('net.client.socket', () => {
  connections += 1
})

const usage = () => {
  const { user, system } = process.cpuUsage()
  const { rss } = process.memoryUsage()
  // Twice: what finalizers release is collected only the second time.
  globalThis.gc?.()
  globalThis.gc?.()
  const { heapUsed } = process.memoryUsage()
  const peakBytes = process.resourceUsage().maxRSS * 1024
  return { connections, cpuMs: (user + system) / 1000, peakBytes, rss, heapUsed }
}
const file = process.env.BENCH_USAGE
// What the measured process starts in its turn is not measured.
delete process.env.BENCH_USAGE

if (file !== undefined) process.on('exit', () => writeFileSync(file, JSON.stringify(usage())))
else if (process.send !== undefined) {
  process.on('message', () => process.send(usage()))
  // The channel must not keep the process alive.
  process.channel.unref()
}
