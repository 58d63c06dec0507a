import { defined } from '../../spec/model/items.js'
import type { Answered } from '../connection/dispatch.js'
import { diagnose, type RefusedReply } from '../diagnosis/diagnose.js'
import { shownMediaType } from '../diagnosis/explain-content-type.js'
import { accountNamed, type ServerFacts, shownParameters } from '../diagnosis/parameters.js'
import { shownAnswer } from '../diagnosis/shown-answer.js'
import { type LogSink, NO_LOG } from '../log.js'
import type { Service } from '../service.js'
import type { JournalEntry, WritableJournal } from '../store/journal.js'
import type { Events } from './events.js'

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
  const scoped = defined({ scope })

  return ({ request, reply, nowMs, durationMs, status, faults }) => {
    // A refusal is explained for someone.
    const isRead = journal.isRead || log !== NO_LOG || events.areHeard
    if (!isRead) return
    const { refusal, issued, rewritten } = reply
    const bearer = reply.userName ?? issued?.userName
    const about =
      refusal === undefined
        ? { ...(bearer !== undefined && { userName: bearer }) }
        : { ...refused({ ...reply, refusal }), ...(bearer !== undefined && { userName: bearer }) }
    const entry = journal.write({
      atMs: nowMs,
      method: request.method,
      path: request.path,
      status,
      ...about,
      ...(faults !== undefined && { faults }),
      ...(rewritten !== undefined && {
        hooks: rewritten.hooks,
        sent: shownAnswer(reply.answer, rewritten.service, request),
      }),
    })
    const { reason } = entry
    log({
      level: status < 500 ? 'info' : 'warn',
      event: 'request',
      ...scoped,
      method: entry.method,
      path: entry.path,
      status,
      ...defined({ refusal, reason, faults, hooks: rewritten?.hooks }),
      durationMs: Math.round(durationMs * 1000) / 1000,
    })
    events.emit('request', { ...entry, ...scoped })
    if (issued !== undefined) events.emit('issued', { ...issued, ...scoped })
    if (refusal !== undefined) {
      const { userName } = entry
      events.emit('refused', { refusal, reason: reason ?? refusal, ...defined({ userName }), ...scoped })
    }

    function refused(why: RefusedReply): Partial<JournalEntry> {
      return {
        ...defined({ userName: accountNamed(request, known) }),
        refusal: why.refusal,
        reason: diagnose(why, request, known),
        ...defined({
          contentType: shownMediaType(request.contentType),
          parameters: shownParameters(request, known),
        }),
      }
    }
  }
}

function knownTo({ settings, providers, state }: Service): ServerFacts {
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
