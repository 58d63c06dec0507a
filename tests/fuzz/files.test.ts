import t from 'tap'
import { fuzzFiles, SUBJECTS } from '../fixtures/fuzz-files.js'

for (const [name, subject] of Object.entries(SUBJECTS))
  t.test(`${name}: no file is a bug, prints a control character, or takes long`, (t) =>
    fuzzFiles(t, subject, 20_261_122, 40),
  )
