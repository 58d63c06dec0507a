import t from 'tap'
import { isNight } from '../fixtures/effort.js'
import { fuzzFiles, SUBJECTS } from '../fixtures/fuzz-files.js'

/** Fewer where a change lands; `FILES_RUNS=10000` for all of them, `FILES_SEED` for others; `FILES_ONLY` names one subject. */
const { FILES_RUNS, FILES_SEED, FILES_ONLY } = process.env
const numRuns = Number(FILES_RUNS ?? (isNight ? 1000 : 150))
// The same each day: what decides whether a change lands is not to find something else.
const seed = Number(FILES_SEED ?? 7)

for (const [name, subject] of Object.entries(SUBJECTS))
  if (FILES_ONLY === undefined || FILES_ONLY === name)
    t.test(`${name}: ${numRuns} mutated files, seed ${seed}`, (t) => fuzzFiles(t, subject, seed, numRuns))
