import { fileURLToPath } from 'node:url'
import t from 'tap'
import { updateLedger } from '../scripts/update-ledger.js'
import { checkSpecification } from '../spec/check.js'
import { formatFindings } from '../spec/position.js'
import { readSpecificationFiles } from '../spec/specification-files.js'

t.test('the ledger is rewritten in its cases alone', async (t) => {
  const before = `# A note.
requirements:
  # 1. Purpose
  - id: 1-a
    statement: "Text: with a colon." # Why.
    later: Soon.

  - id: 1-b
    statement: 'Quoted.'
    cases:
      - 1/old
  - id: 1-c
    cases:
      - 1/kept
`
  const covered = new Map([
    ['1-a', ['1/x', '1/y']],
    ['1-c', ['1/kept']],
  ])
  const after = before
    .replace('    later: Soon.\n', '    cases:\n      - 1/x\n      - 1/y\n')
    .replace('    cases:\n      - 1/old\n', '')
  t.equal(updateLedger(before, covered), after)
  t.equal(updateLedger(after, covered), after)
})

t.test('the specification that ships is sound', async (t) => {
  const files = readSpecificationFiles(fileURLToPath(new URL('../spec/', import.meta.url)))
  t.equal(formatFindings(checkSpecification(files)), '')
})
