import { own } from '../../reports/formats/html/markup.js'
import { shellOf } from '../../reports/formats/html/shell.js'
import { type GuardedRequest, namesThisHost } from '../guard/own-page.js'
import { type GuardAnswer, pageHeaders, refusal } from '../guard/page-headers.js'
import { MARKUP, SCRIPT, STYLE } from './generated/browser.js'

/**
 * The page of a control plane: a person's way to the same methods, with the same secret. It shows nothing by itself: its
 * script asks for the secret, gets a key for it, and asks for the rest.
 */
export function controlPage(request: Pick<GuardedRequest, 'headers'>, port: number): GuardAnswer {
  return namesThisHost(request, port)
    ? PAGE
    : refusal('This page is served only at the loopback address of this machine.')
}

const CODE = { style: STYLE, script: SCRIPT }
const PAGE: GuardAnswer = {
  status: 200,
  headers: pageHeaders(CODE),
  body: shellOf('Reference server · Token Assay', own(MARKUP), CODE),
}
