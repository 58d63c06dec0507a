import type { HeaderList } from '../../spec/model/report.js'
import { credentialsIn } from '../exchange/header-credentials.js'
import { hasReference } from './declared.js'
import type { Secret } from './deployment.js'
import type { TargetSettings } from './target-input.js'

/** What follows a scheme in a header, or the name of a cookie: a service may repeat it alone. */
export function headerSecrets({
  headers = {},
  tokenRequest,
  ...requests
}: TargetSettings): readonly Secret[] {
  const literals = [headers, tokenRequest?.headers ?? {}].flatMap((own) => Object.entries(own))
  const templates = headersIn(requests).filter(([, text]) => !hasReference(text))
  return [...literals, ...templates].flatMap(([name, text]) =>
    credentialsIn([[name, text]]).map((value) => ({ value, label: `value of ${name}` })),
  )
}

function headersIn(item: unknown, key = ''): HeaderList {
  if (typeof item !== 'object' || item === null) return []
  return Object.entries(item).flatMap(
    ([name, value]): HeaderList =>
      key === 'headers' && typeof value === 'string' ? [[name, value]] : headersIn(value, name),
  )
}
