import type { HeaderList } from '../../../../spec/model/report.js'
import type { RunContext } from '../../../drivers/send/session/run-context.js'
import { type Channel, channelTo, openSession, type Session } from '../../../drivers/send/session/session.js'
import type { AcceptingInstance, IssuingInstance, PlannedSides } from './plan-sides.js'

/** An issuer that tokens can be asked of. */
export interface Issuer extends IssuingInstance {
  readonly session: Session
}

/** An acceptor that tokens can be presented to. */
export interface Acceptor extends AcceptingInstance {
  readonly channel: Channel
}

/** Both sides while they are rehearsed with. */
export interface OpenSides extends AsyncDisposable {
  readonly issuers: readonly Issuer[]
  readonly acceptors: readonly Acceptor[]
}

export function openSides(run: RunContext, { issuers, acceptors }: PlannedSides): OpenSides {
  const open = {
    issuers: issuers.map((issuer) => ({
      ...issuer,
      session: openSession(run, issuer.deployment, undefined, () => undefined),
    })),
    acceptors: acceptors.map((acceptor) => ({ ...acceptor, channel: openChannel(acceptor, run) })),
  }
  return {
    ...open,
    [Symbol.asyncDispose]: async () => {
      await Promise.all([
        ...open.issuers.map(({ session }) => session.close()),
        ...open.acceptors.map(({ channel }) => channel.executor.close()),
      ])
    },
  }
}

/**
 * The headers of the target are for its services: a resource elsewhere has those of its own request.
 * @param more sent with every request
 */
export function openChannel(
  { name, base, deployment, partOf }: AcceptingInstance,
  run: RunContext,
  more: HeaderList = [],
): Channel {
  const { headers, shownHeaders = [] } = partOf === undefined ? { headers: [], shownHeaders: [] } : deployment
  return channelTo(
    {
      ...deployment,
      ...base,
      name,
      headers: [...headers, ...more],
      shownHeaders: [...shownHeaders, ...more],
    },
    run,
  )
}
