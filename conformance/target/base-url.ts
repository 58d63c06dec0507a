/** A base URL in its one spelling, or what is wrong with it; the text is not repeated, since it may hold a password. */
export type BaseUrl = { readonly baseUrl: string } | { readonly problem: string }

/**
 * Reads a base URL: http or https, with or without a path, one trailing slash dropped.
 * Userinfo, query and fragment are refused, since every path is appended to it.
 */
export function readBaseUrl(text: string): BaseUrl {
  if (/[\s\p{Cc}]/u.test(text)) return { problem: 'expected a base URL without white space' }
  // The URL parser would take `http:example.com`, and swallow an empty query, fragment or user name.
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text))
    return { problem: 'expected a base URL such as http://127.0.0.1:5000 (http or https)' }
  const authority = text.replace(/^https?:\/\//i, '').split(/[/\\?#]/, 1)[0] ?? ''
  if (authority.includes('@')) return { problem: 'expected a base URL without user name and password' }
  if (text.includes('?')) return { problem: 'expected a base URL without a query' }
  if (text.includes('#')) return { problem: 'expected a base URL without a fragment' }
  return { baseUrl: new URL(text).href.replace(/\/$/, '') }
}
