import { hasReference } from '../../spec/model/literal.js'
import type { HeaderList } from '../../spec/model/report.js'
import { credentialsIn } from '../exchange/header-credentials.js'
import type { Secret } from './deployment.js'
import type { TargetSettings } from './target-input.js'

/** What follows a scheme in a header, or the name of a cookie: a service may repeat it alone. */
export function headerSecrets({
  headers = {},
  tokenRequest,
  ...requests
}: TargetSettings): readonly Secret[] {
  const literals = [headers, tokenRequest?.headers ?? {}].flatMap((own) => Object.entries(own))
  return [
    ...literals.flatMap(([name, text]) => labelled(name, credentialsIn([[name, text]]))),
    ...headersIn(requests).flatMap(([name, text]) =>
      labelled(
        name,
        literalCredentials(name, text).map((value) => value.replaceAll('$$', '$')),
      ),
    ),
  ]
}

/** The credentials in the template of a header, as they are spelled there, but for references. */
export function literalCredentials(name: string, template: string): readonly string[] {
  return credentialsIn([[name, template]]).filter((value) => !hasReference(value))
}

function labelled(name: string, values: readonly string[]): readonly Secret[] {
  return values.map((value) => ({ value, label: `value of ${name}` }))
}

function headersIn(item: unknown, key = ''): HeaderList {
  if (typeof item !== 'object' || item === null) return []
  return Object.entries(item).flatMap(
    ([name, value]): HeaderList =>
      key === 'headers' && typeof value === 'string' ? [[name, value]] : headersIn(value, name),
  )
}
