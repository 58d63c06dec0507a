import type { JsonNode } from '../../spec/model/json.js'
import type { HttpResponse } from '../exchange/http-response.js'
import { isSecretMember, secretNameIn } from './hidden-fields.js'

/** A credential, and neither a text nor a usual word. */
const CREDENTIAL = /^[\w.~+/=%:-]{16,4096}$/
const MAX_VALUES = 1000
/** Of one answer: a flood of them is to push no other secret out. */
const MAX_SECRETS = 8

/** What an answer names a secret by a cookie, a header or a member: it may repeat it in another place. */
export function issuedSecrets({ raw, json }: HttpResponse): readonly string[] {
  const ofHeaders = raw.headers.flatMap(([name, value]) => {
    if (/^set-cookie2?$/i.test(name)) return (value.split(';', 1)[0] ?? '').replace(/^[^=]*=/, '')
    return isSecretMember(name) ? value : []
  })
  return [...ofHeaders, ...namedIn(json.root)].filter((value) => CREDENTIAL.test(value)).slice(0, MAX_SECRETS)
}

function namedIn(root: JsonNode | undefined): readonly string[] {
  const named: string[] = []
  const nodes = root === undefined ? [] : [root]
  for (let at = 0; at < Math.min(nodes.length, MAX_VALUES); at++) {
    const node = nodes[at]
    if (node?.kind === 'array') nodes.push(...node.items.slice(0, MAX_VALUES))
    if (node?.kind !== 'object') continue
    const nameOf = secretNameIn(node)
    for (const { name, value } of node.members.slice(0, MAX_VALUES)) {
      if (value.kind === 'string' && isSecretMember(nameOf(name) ?? name)) named.push(value.value)
      else nodes.push(value)
    }
  }
  return named
}
