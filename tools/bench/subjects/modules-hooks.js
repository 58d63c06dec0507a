import { appendFileSync } from 'node:fs'

let list

export function initialize(data) {
  list = data.list
  appendFileSync(list, '')
}

export function load(url, context, next) {
  appendFileSync(list, `${url}\n`)
  return next(url, context)
}
