/** Of `express`, which brings no types, what the servers here use. */
declare module 'express' {
  import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'

  export interface Request extends IncomingMessage {
    readonly headers: Record<string, string>
    readonly method: string
    readonly query: Record<string, string>
    readonly body?: unknown
  }
  export interface Response extends ServerResponse {
    readonly headers: Record<string, string>
    set(headers: Readonly<Record<string, string>>): this
    status(code: number): this
    send(body: unknown): this
  }
  export type Handler = (request: Request, response: Response) => unknown
  export interface Application extends RequestListener {
    set(setting: string, value: unknown): this
    post(path: string, ...handlers: readonly Handler[]): this
  }
  const express: {
    (): Application
    urlencoded(options: { readonly extended: boolean }): Handler
  }
  export default express
}
