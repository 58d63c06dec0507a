import { shownMediaType } from './diagnosis/content-type.js'
import { diagnose, type Refused } from './diagnosis/diagnose.js'
import { accountNamed, type Known, shownParameters } from './diagnosis/parameters.js'
import type { Answered } from './dispatch.js'
import type { Events } from './events.js'
import type { JournalEntry, WritableJournal } from './journal.js'
import type { LogSink } from './log.js'
import type { Service } from './service.js'

export interface Listeners {
  readonly journal: WritableJournal
  readonly log: LogSink
  readonly events: Events
  readonly scope: string | undefined
}

/** So many accounts are looked through for a hint at a mistyped name. */
const namesLookedAt = 100

/** What becomes of an exchange once it is answered: an entry in the journal, a line in the log, events. */
export function observer(service: Service, listeners: Listeners): (answered: Answered) => void {
  const { journal, log, events, scope } = listeners
  const known = knownTo(service)
  const scoped = scope === undefined ? {} : { scope }

  return ({ request, reply, nowMs, durationMs, status, faults }) => {
    const { refusal, issued } = reply
    const about =
      refusal === undefined
        ? { ...(issued !== undefined && { userName: issued.userName }) }
        : refused({ ...reply, refusal })
    const entry = journal.write({
      atMs: nowMs,
      method: request.method,
      path: request.path,
      status,
      ...about,
      ...(faults !== undefined && { faults }),
    })
    const { reason } = entry
    log({
      level: status < 500 ? 'info' : 'warn',
      event: 'request',
      ...scoped,
      method: entry.method,
      path: entry.path,
      status,
      ...(refusal !== undefined && { refusal }),
      ...(reason !== undefined && { reason }),
      ...(faults !== undefined && { faults }),
      durationMs: Math.round(durationMs * 1000) / 1000,
    })
    events.emit('request', { ...entry, ...scoped })
    if (issued !== undefined) events.emit('issued', { ...issued, ...scoped })
    if (refusal !== undefined) {
      const { userName } = entry
      events.emit('refused', {
        refusal,
        reason: reason ?? refusal,
        ...(userName !== undefined && { userName }),
        ...scoped,
      })
    }

    function refused(why: Refused): Partial<JournalEntry> {
      const userName = accountNamed(request, known)
      const contentType = shownMediaType(request.contentType)
      const parameters = shownParameters(request, known)
      return {
        ...(userName !== undefined && { userName }),
        refusal: why.refusal,
        reason: diagnose(why, request, known),
        ...(contentType !== undefined && { contentType }),
        ...(parameters !== undefined && { parameters }),
      }
    }
  }
}

function knownTo({ settings, providers, state }: Service): Known {
  return {
    basePath: settings.basePath,
    isAccount: (userName) => state().accounts.find(userName)?.userName === userName,
    someNames: () => {
      const names: string[] = []
      for (const { userName, email } of state().accounts.all()) {
        names.push(userName, ...(email === undefined ? [] : [email]))
        if (names.length >= namesLookedAt) break
      }
      return names
    },
    isProvider: (name) => providers.has(name),
  }
}
