import { MAX_HEAD } from './wire/message-reader.js'

/** Who may use the relay from this machine: a web page of another site can make a browser send requests to loopback. */
export interface RequestGuard {
  /** Names of `Host`, in lower case and without port; `*` is any. */
  readonly hosts: readonly string[]
  /** Whether pages of other sites may. */
  readonly allowsCrossSite: boolean
}

export interface RelayRefusal {
  readonly status: '400 Bad Request' | '403 Forbidden'
  readonly why: string
}

const ANYWHERE = /^(?:(CONNECT) |[!-~]+ [A-Za-z][\w+.-]*:)/

/** Whether the relay is reached from this machine alone. */
export function isLoopback(host: string): boolean {
  return /^(?:(?:[\w-]+\.)*localhost|127(?:\.\d+){3}|\[?::1\]?)$/.test(host)
}

/**
 * Why a request is refused: undefined where it may pass. It is asked of a head that cannot be read as well.
 * @param text of the head, as far as it came
 * @param guard absent: others may reach the relay anyhow
 */
export function refusalOf(text: string, guard: RequestGuard | undefined): RelayRefusal | undefined {
  const [, connect] = ANYWHERE.exec(text) ?? [undefined, '']
  if (connect !== '') {
    const what = connect ?? 'a request for a whole URL'
    return {
      status: '400 Bad Request',
      why: `${what}: this proxy has one target, and is used as its base URL`,
    }
  }
  if (guard === undefined) return undefined
  const lines = text.split(/\r?\n/)
  const hosts = valuesOf('host', lines)
  const foreign = hosts.find((host) => !isAllowed(host, guard))
  // A browser sends a long URL before the Host.
  const isHidden = hosts.length === 0 && text.length > MAX_HEAD && !guard.hosts.includes('*')
  if (foreign !== undefined || isHidden) {
    const name = nameOf(foreign ?? '')
    const allowed = /^[\w.-]{1,100}$/.test(name) ? name : 'NAME'
    return { status: '403 Forbidden', why: `its Host is not this proxy's: --allow-host ${allowed} allows it` }
  }
  if (!guard.allowsCrossSite && valuesOf('sec-fetch-site', lines).includes('cross-site'))
    return { status: '403 Forbidden', why: 'a page of another site sent it: --allow-cross-site allows that' }
  return undefined
}

/** Of a head that may be malformed. */
function valuesOf(name: string, lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => {
    const colon = line.indexOf(':')
    return line.slice(0, colon).trim().toLowerCase() === name
      ? [
          line
            .slice(colon + 1)
            .trim()
            .toLowerCase(),
        ]
      : []
  })
}

function isAllowed(host: string, { hosts }: RequestGuard): boolean {
  const name = nameOf(host)
  return name === '' || isLoopback(name) || hosts.includes(name) || hosts.includes('*')
}

/** Without its port, and the dot of a full name. */
export function nameOf(host: string): string {
  return host.replace(/:\d*$/, '').replace(/\.$/, '')
}
