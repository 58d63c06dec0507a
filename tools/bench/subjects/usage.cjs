// Loaded before what is measured: tells what it has cost when it ends (on the pipe 3), or when it is asked (by message).
const { subscribe } = require('node:diagnostics_channel')
const { fstatSync, writeSync } = require('node:fs')

let connections = 0
subscribe('net.client.socket', () => {
  connections += 1
})

const usage = () => ({
  connections,
  cpuMicroseconds: process.cpuUsage().user + process.cpuUsage().system,
  peakBytes: process.resourceUsage().maxRSS * 1024,
  rssBytes: process.memoryUsage.rss(),
})
const tell = process.env.BENCH_USAGE !== undefined
// What the measured process starts in its turn is not measured.
delete process.env.BENCH_USAGE

if (tell && fstatSync(3, { throwIfNoEntry: false }))
  process.on('exit', () => writeSync(3, JSON.stringify(usage())))
if (!tell && process.send !== undefined)
  process.on('message', (asked) => {
    if (asked === 'usage') process.send({ ...usage(), ...globalThis.benchCounts })
  })
