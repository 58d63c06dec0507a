import t from 'tap'
import type { JudgedCell } from '../expectations/judge-cells.js'
import { openNotes } from './open-notes.js'

/** A token of the old service at the new one, at some moment. */
function cell(observed: object, expected?: object): JudgedCell {
  const ends = { issuer: { role: 'old' }, acceptor: { side: 'new' } }
  // The rest of a cell is not looked at.
  return { cell: { ...ends, observed }, expected, differs: false } as unknown as JudgedCell
}

t.test('a note says what could be declared, and nothing of what is', (t) => {
  const refused = { outcome: 'refused' }
  for (const [cells, notes] of [
    [[cell(refused)], 1],
    // `accepted` without a moment is not for the end of a life.
    [[cell(refused, { outcome: 'accepted' }), cell(refused)], 0],
    [[cell({ outcome: 'not-tried', why: 'no service' })], 0],
    [[cell({ outcome: 'error', isUnanswered: true })], 0],
  ] as const)
    t.equal(openNotes(cells).length, notes, JSON.stringify(cells))
  t.end()
})
