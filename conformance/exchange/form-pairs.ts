import type { RequestTemplate } from '../../spec/model/case.js'
import { isPairList } from './template.js'

export type FormPair = readonly [name: string, value: string]

export function pairsOf(fields: RequestTemplate['form']): readonly FormPair[] | undefined {
  return fields === undefined || isPairList(fields) ? fields : Object.entries(fields)
}

/** Whether it holds both credentials of one account as they are. */
export function holdsCredentials(pairs: readonly FormPair[]): boolean {
  const names = new Map(pairs)
  const [user = '', password = ''] = [names.get('username'), names.get('password')]
  return /^\$(\w+)\.(userName|loginName)$/.test(user) && password === user.replace(/\.\w+$/, '.password')
}
