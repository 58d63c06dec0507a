import { suggestion } from '../../spec/nearest.js'
import { type Finding, type Located, pointerTo } from '../../spec/position.js'
import { referencesIn } from '../../spec/references.js'
import type { TargetRequest } from '../deployment.js'
import type { TargetSettings } from './target-input.js'

/** One request of the target's own, where it stands, and the `$names` that are known when it is sent. */
interface OwnRequest {
  readonly pointer: string
  readonly request: Partial<TargetRequest>
  readonly names: readonly string[]
}

/** What the schema cannot say of the target's own requests: their `$names`, paths, URLs and header values. */
export function* checkRequests(settings: TargetSettings, located: Located): Generator<Finding> {
  for (const { pointer, request, names } of ownRequests(settings)) {
    const at = (key: string, message: string): Finding => ({
      position: located.at(`${pointer}${key}`),
      message,
    })
    for (const reference of referencesIn(request, pointer)) {
      if (names.includes(reference.root)) continue
      const known = names.map((name) => `$${name}`).join(', ')
      const message = `expected one of ${known} ($$ for a literal $), found "$${reference.root}"`
      yield { position: located.at(reference.pointer), message: message + suggestion(reference.root, names) }
    }
    if (request.path !== undefined && !/^\/[^\s\p{Cc}#]*$/u.test(request.path))
      yield at('/path', 'expected a path that begins with / and has no white space and no fragment')
    if (request.url !== undefined && !/^https?:\/\/[^\s\p{Cc}#]+$/iu.test(request.url))
      yield at('/url', 'expected a URL such as http://127.0.0.1:6000/code (http or https, no fragment)')
    yield* checkHeaders(request.headers ?? {}, `${pointer}/headers`, located)
  }
}

/** No line break or other control, and no character that HTTP/1.1 cannot carry. */
export function* checkHeaders(
  headers: Readonly<Record<string, string>>,
  pointer: string,
  located: Located,
): Generator<Finding> {
  for (const [name, value] of Object.entries(headers))
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value))
      yield {
        position: located.at(pointerTo(pointer, name)),
        message: `expected a value for ${name} in Latin-1, without line breaks and controls`,
      }
}

const registrationNames: readonly string[] = ['userName', 'email', 'password']
/** Those of the account that signs in. */
const externalNames: readonly string[] = ['userName', 'password']

function ownRequests({ registration, externalLogin }: TargetSettings): readonly OwnRequest[] {
  const prepare = externalLogin?.prepare
  const captured = [...externalNames, ...Object.keys(prepare?.capture ?? {})]
  const all: readonly {
    pointer: string
    request: Partial<TargetRequest> | undefined
    names: readonly string[]
  }[] = [
    { pointer: '/registration/request', request: registration?.request, names: registrationNames },
    { pointer: '/registration/cleanUp', request: registration?.cleanUp, names: registrationNames },
    { pointer: '/externalLogin/prepare/request', request: prepare?.request, names: externalNames },
    { pointer: '/externalLogin/request', request: externalLogin?.request, names: captured },
    { pointer: '/externalLogin/withoutCallback', request: externalLogin?.withoutCallback, names: captured },
  ]
  return all.flatMap(({ pointer, request, names }) =>
    request === undefined ? [] : [{ pointer, request, names }],
  )
}
