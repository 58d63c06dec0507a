import { isMap, type Json } from '../../spec/model/json.js'
import { hasReference } from '../../spec/model/literal.js'
import { passwordLabel } from './account-binding.js'
import type { Secret } from './deployment.js'
import { secretUnlessOrdinary } from './environment.js'
import { literalCredentials } from './header-secrets.js'
import type { DeploymentSource } from './merge-deployments.js'
import { withExcerpts } from './password-excerpts.js'
import { isShownParameter, tokenRequestSecrets } from './token-request.js'

/** The settings of a deployment as they may be shown, and what must never be. */
export interface DeclaredSettings {
  readonly shown: Json
  readonly secrets: readonly Secret[]
}

/**
 * Passwords, and what is declared as it is in `headers`, in `env`, in `externalLogin.prepare` and, in other requests, under
 * the name of a secret, by their labels. Any header may be a key, and what prepares a sign-in is for the provider alone.
 */
export function showDeclared(source: DeploymentSource): DeclaredSettings {
  const { settings, shown } = source
  if (!isMap(shown)) return { shown, secrets: [] }
  const secrets: Secret[] = []
  const accounts = settings.accounts ?? []
  const names = accounts.flatMap(({ userName, userId = userName }) => [userName, userId])
  const shownAccounts = accounts.map((account, index): Json => {
    const own = Array.isArray(shown.accounts) ? shown.accounts[index] : undefined
    const asShown = isMap(own) ? own : { userName: account.userName }
    const label = passwordLabel({ userName: String(asShown.userName), password: '' })
    for (const value of withExcerpts(account.password)) secrets.push({ value, label })
    return { ...asShown, password: `‹${label}›` }
  })
  const hide = (text: string, of: DeclaredPlace): string => {
    const { name, inTemplate } = of
    if (text === '' || (inTemplate && hasReference(text))) return text
    if (LABEL.test(text)) {
      const hidden = literalsBeside(text, of.place === 'headers').filter((part) => hide(part, of) !== part)
      return hidden.length === 0 ? text : `‹value of ${name}›`
    }
    const value = inTemplate ? text.replaceAll('$$', '$') : text
    if (inTemplate && names.includes(value)) return text
    secrets.push(secretUnlessOrdinary(value, `value of ${name}`))
    return `‹value of ${name}›`
  }
  const walk = (item: Json, of: DeclaredPlace): Json => {
    const { name, place, inTemplate } = of
    if (typeof item === 'string') {
      // A port or the name of a stage is one too: what is shown elsewhere is not searched for it.
      const label = `‹value of ${name}›`
      if (place === 'env') return LABEL.test(item) && literalsBeside(item, false).length === 0 ? item : label
      if (place === 'url')
        return hideQuery(item, (text, key) => hide(text, { name: key, place, inTemplate: true }))
      const isNamed = place === 'body' && inTemplate && SECRET_NAME.test(name)
      if (inTemplate && hasReference(item)) {
        const literals =
          place === 'headers' ? literalCredentials(name, item) : isNamed ? literalParts(item) : []
        return literals.reduce((text, literal) => text.replaceAll(literal, () => hide(literal, of)), item)
      }
      const isHidden = place === 'headers' ? !(inTemplate && HARMLESS.test(name)) : place === 'prepared'
      return isHidden || isNamed ? hide(item, of) : item
    }
    if (Array.isArray(item)) return item.map((each: Json) => walk(each, { name, place, inTemplate }))
    if (!isMap(item)) return item
    const members = Object.entries(item).map(([key, value]) => {
      const next = placeOf(key, place)
      return [key, walk(value, { name: key, place: next, inTemplate: inTemplate || IN_TEMPLATE.test(key) })]
    })
    return Object.fromEntries(members)
  }
  const walked = walk(shown, { name: '', place: 'elsewhere', inTemplate: false })
  const hidden = isMap(walked) ? showCohort(showTokenRequest(walked)) : {}
  const password = settings.cohort?.password
  const ofCohort = password === undefined ? [] : [{ value: password, label: COHORT_PASSWORD }]
  return {
    shown: settings.accounts === undefined ? hidden : { ...hidden, accounts: shownAccounts },
    secrets: [...secrets, ...tokenRequestSecrets(source), ...ofCohort],
  }
}

/** What is declared as it is beside labels: not the scheme of a header, names of cookies and parameters, and what is short. */
export function literalsBeside(text: string, isHeader: boolean): readonly string[] {
  const [scheme = ''] = isHeader ? (SCHEME.exec(text) ?? []) : []
  const pieces = text.slice(scheme.length).split(LABEL)
  const literals = pieces.flatMap((piece) => Array.from(piece.matchAll(LITERAL), ([, value = '']) => value))
  return literals.filter((literal) => literal.length >= MIN_PART)
}

const SCHEME = /^[A-Za-z-]+ /
const LITERAL = /(?<![^\s;,"])(?:[\w.-]+=(?!=))?([^\s;,"]+)/g

/** What is declared as it is beside a reference; a shorter part, such as a hyphen, is in other texts by chance. */
function literalParts(template: string): readonly string[] {
  return template.split(/(?<!\$)\$[A-Za-z][\w.]*/).filter((part) => part.length >= MIN_PART)
}

const MIN_PART = 6

/** Where a text is: what is hidden of it. */
interface DeclaredPlace {
  /** Of the nearest member. */
  readonly name: string
  readonly place: 'elsewhere' | 'env' | 'headers' | 'body' | 'prepare' | 'prepared' | 'url'
  /** `$name` is a reference there. */
  readonly inTemplate: boolean
}

const LABEL = /‹[^‹›]*›/
const IN_TEMPLATE = /^(?:registration|externalLogin|resource|refresh|revoke)$/
const SECRET_NAME = /(?:secret|key|token|password|assertion)$/i
/** They say what a request is. */
const HARMLESS = /^(?:content-type|accept)$/i

function placeOf(key: string, place: DeclaredPlace['place']): DeclaredPlace['place'] {
  if (/^(?:headers|env|body|prepared)$/.test(place)) return place
  if (key === 'headers' || key === 'env') return key
  const isBody = key === 'json' || key === 'form'
  if (place !== 'prepare') return key === 'prepare' ? 'prepare' : isBody ? 'body' : 'elsewhere'
  if (key === 'url' || key === 'path') return 'url'
  return isBody ? 'prepared' : key === 'request' ? 'prepare' : 'elsewhere'
}

function showTokenRequest(map: JsonMap): JsonMap {
  const { tokenRequest } = map
  if (!isMap(tokenRequest)) return map
  const { form, basic } = tokenRequest
  const shownForm = isMap(form)
    ? {
        form: Object.fromEntries(
          Object.entries(form).map(([name, value]) => [
            name,
            isLabel(value) || isShownParameter(name) ? value : `‹value of ${name}›`,
          ]),
        ),
      }
    : {}
  const shownBasic = isMap(basic) ? { basic: { ...basic, password: '‹value of Authorization›' } } : {}
  return { ...map, tokenRequest: { ...tokenRequest, ...shownForm, ...shownBasic } }
}

const COHORT_PASSWORD = 'password of the cohort'

function showCohort(map: JsonMap): JsonMap {
  const { cohort } = map
  const isShown = !isMap(cohort) || cohort.password === undefined || isLabel(cohort.password)
  return isShown ? map : { ...map, cohort: { ...cohort, password: `‹${COHORT_PASSWORD}›` } }
}

type JsonMap = { readonly [name: string]: Json }

function isLabel(item: Json): boolean {
  return typeof item === 'string' && item.replace(LABEL, '') === ''
}

/** The values of a query; the rest of a URL says where a request goes. */
function hideQuery(url: string, hide: (text: string, name: string) => string): string {
  const at = url.indexOf('?')
  if (at < 0) return url
  const pairs = url.slice(at + 1).split('&')
  const shown = pairs.map((pair) => {
    const [, name = '', value = ''] = /^([^=]*)(?:=(.*))?$/s.exec(pair) ?? []
    return value === '' ? pair : `${name}=${hide(value, name)}`
  })
  return `${url.slice(0, at)}?${shown.join('&')}`
}
