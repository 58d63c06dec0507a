/** What callers may write, and what they may not: the compiler reads this file with the others, and no one runs it. */
import {
  AssayError,
  type AssayErrorCode,
  assess,
  type Control,
  connectControl,
  type Outcome,
  type ReferenceServer,
  type Report,
  startReferenceServer,
  type Verdict,
} from '../index.js'

const accounts = [{ userName: 'alice', password: 'Alice-and-1-password' }]

export async function mayBeWritten(): Promise<readonly [Verdict, Outcome | undefined]> {
  await using server: ReferenceServer = await startReferenceServer({
    accounts,
    includesUserId: true,
    hashing: 'fast',
  })
  const report: Report = await assess(
    { baseUrl: server.url, accounts },
    { only: ['2.1/*'], seed: 7, strict: true },
  )
  const control: Control = await connectControl({
    url: 'http://127.0.0.1:5001',
    secret: 'sixteen-characters',
  })
  await control.reset()
  await startReferenceServer()
  return [report.verdict, report.results[0]?.outcome]
}

export async function mayNot(report: Report, error: AssayError): Promise<void> {
  // @ts-expect-error an account has a password
  await assess({ baseUrl: 'http://127.0.0.1:8080', accounts: [{ userName: 'alice' }] })
  // @ts-expect-error a seed is a number
  await assess({ baseUrl: 'http://127.0.0.1:8080', accounts }, { seed: '7' })
  // @ts-expect-error what only the command has is no option
  await assess({ baseUrl: 'http://127.0.0.1:8080', accounts }, { reporter: 'junit' })
  // @ts-expect-error there are two kinds of hashing
  await startReferenceServer({ hashing: 'scrypt' })
  // @ts-expect-error a report is read, not changed
  report.verdict = 'conformant'
  // @ts-expect-error a verdict is one of three
  if (report.verdict === 'passed') return
  // @ts-expect-error a code is one of those that are documented
  const code: AssayErrorCode = 'oops'
  throw new AssayError(error.code, code)
}
