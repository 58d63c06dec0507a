import t from 'tap'
import { showDeclared } from './declared.js'

const nowhere = () => ({ file: '', line: 1, column: 1 })

t.test('excerpts that frameworks show of a declared password are secrets too', async (t) => {
  const secretsOf = (password: string): readonly string[] => {
    const settings = { baseUrl: 'http://127.0.0.1', accounts: [{ userName: 'alice', password }] }
    return showDeclared({
      name: 'prod',
      settings,
      shown: settings,
      located: { at: nowhere, keyAt: nowhere },
      folder: '',
    }).secrets.map(({ value }) => value)
  }
  t.strictSame(secretsOf('Correct-7-hor'), ['Correct-7-hor'])
  t.strictSame(secretsOf('Correct-horse-77'), ['Correct-horse-77', 'Correct-horse-7'], 'PHP: 15 bytes')
  t.strictSame(secretsOf('Grün-Grün-Grün7'), ['Grün-Grün-Grün7', 'Grün-Grün-Gr'], 'without half a character')
  // `Request.Form value was detected from the client (password="...ct-horse-7<battery-staple-a...")`
  t.strictSame(
    secretsOf('Correct-horse-7<battery-staple-and-more'),
    ['Correct-horse-7<battery-staple-and-more', 'Correct-horse-7', 'ct-horse-7<battery-staple-and-'],
    'ASP.NET: ten characters before, twenty from there',
  )
})
