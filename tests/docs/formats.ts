/** `npm run docs:formats`: writes `docs/formats.md` from four recorded runs; with `--record` they are recorded anew. */

import { writeIfChanged } from '../../tools/write-if-changed.js'
import { FORMATS_PAGE, formatsPage } from './formats-page.js'

if (process.argv.includes('--record')) await (await import('./record-runs.js')).recordRuns()
writeIfChanged(FORMATS_PAGE, await formatsPage())
