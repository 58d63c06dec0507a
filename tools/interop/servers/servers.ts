import { fileURLToPath } from 'node:url'
import { GRANTED, NO_DATES, RFC_6749 } from '../expected.js'
import type { Implementation } from '../implementations.js'
import type { Source } from '../installed-version.js'

const npm: Source = { npm: new URL('node_modules/', import.meta.url) }

const target = (folder: string): string => fileURLToPath(new URL(`${folder}/target.yaml`, import.meta.url))

const cantTell = { ...RFC_6749.cantTell, '8-R3': NO_DATES }

/** Servers that their target files start. The expectations were derived from the installed sources. */
export const SERVERS: readonly Implementation[] = [
  {
    name: '@jmondi/oauth2-server',
    language: 'TypeScript',
    packages: ['@jmondi/oauth2-server', 'express'],
    from: npm,
    setUp:
      'Behind Express with both body parsers, as in its own example; the client signs in by `client_id` and `client_secret` in the form.',
    file: target('jmondi'),
    expected: {
      failed: {
        ...RFC_6749.failed,
        '4.1-content-type': 'Its example parses JSON too, and nothing checks the media type after that.',
        '7-token-error-status':
          'Its constructor enables client_credentials and refresh_token (`index.js`: 1122), which this client may not use: `invalid_client`, 401 (287).',
        '7-token-error-body':
          'Its helper for Express adds `status`, `message` and `error_description` (`express.js`: 79–82).',
        '7-token-error-media-type':
          'A form under `application/json` does not parse, and Express answers with its own page.',
      },
      cantTell,
    },
  },
  {
    name: 'oauth2orize',
    language: 'JavaScript',
    packages: ['oauth2orize', 'passport', 'passport-http', 'express'],
    from: npm,
    setUp: "Behind Express 5, with Passport's Basic strategy for the client, as its README shows.",
    file: target('oauth2orize'),
    expected: {
      failed: {
        ...RFC_6749.failed,
        '4.1-R1':
          'Without a form, Express 5 leaves `req.body` undefined, which the middleware reads (`middleware/token.js`: 54): 500, `server_error`.',
        '4.1-R2': 'A form without grant_type is `unsupported_grant_type`, with 501.',
        '7-token-error-status':
          '`unsupported_grant_type` is 501 (`errors/tokenerror.js`: 18), a wrong media type 500.',
        '7-token-error-body': 'Errors have an `error_description` (`middleware/errorHandler.js`: 71).',
        '7-token-error-media-type': 'Errors are `application/json` without a charset (74).',
      },
      cantTell,
    },
  },
  {
    name: 'Authlib',
    language: 'Python',
    packages: ['python3-authlib', 'python3-flask', 'python3-werkzeug'],
    from: 'Debian',
    setUp:
      'Behind Flask, as in its page "Flask OAuth 2.0 Server"; the client signs in by Basic authentication.',
    file: target('authlib'),
    expected: {
      failed: {
        ...RFC_6749.failed,
        '4.1-content-type': 'Flask also reads a multipart body as a form (`werkzeug/formparser.py`: 327).',
        '4.1-R2':
          'Parameters of the query are added to those of the form (`wrappers.py`: 45), so `grant_type=password` in the query is enough.',
        '7-token-error-media-type':
          'It is `application/json` without a charset, on purpose (`grants/base.py`, `consts.py`: 8).',
      },
      // Its error describes itself by a method (`errors.py`: 151) that nothing calls: it is the closed object of section 7.
      cantTell: { ...cantTell, '7-token-error-status': GRANTED, '7-token-error-body': GRANTED },
    },
  },
  {
    name: 'Django OAuth Toolkit',
    language: 'Python',
    packages: ['python3-django-oauth-toolkit', 'python3-oauthlib', 'python3-django'],
    from: 'Debian',
    setUp:
      'Its token view in a project of one file, with an application for the password grant, as in its tutorial; the client signs in by Basic authentication.',
    file: target('django-oauth-toolkit'),
    expected: {
      failed: {
        ...RFC_6749.failed,
        '4.1-content-type': 'Django also reads a multipart body as a form (`http/request.py`: 357).',
        '4.1-content-type-spelling':
          'Django compares the media type with case (105), so the form is not read.',
        '4.1-R2':
          'A query raises an exception (`oauthlib/…/endpoints/base.py`: 89) that nothing catches (`oauth2_backends.py`: 155): 500.',
        '7-token-error-status': 'The same exception.',
        '7-token-error-body':
          'Other grants, which this client may not use, are `unauthorized_client` or lack a parameter.',
        '7-token-error-media-type':
          'It is `application/json` without a charset (`oauthlib/…/grant_types/base.py`: 223).',
      },
      cantTell,
    },
  },
  {
    name: 'Doorkeeper',
    language: 'Ruby',
    packages: ['ruby-doorkeeper', 'ruby-rails', 'ruby-rack', 'puma'],
    from: 'Debian',
    setUp:
      'On Rails, with its generated tables and initializer, the password grant and `has_secure_password`; the client signs in by Basic authentication.',
    file: target('doorkeeper'),
    expected: {
      failed: {
        ...RFC_6749.failed,
        '4.1-content-type':
          'Rails also reads multipart and JSON bodies, and a POST without a media type as a form (`rack/request.rb`: 416); `enforce_content_type`, off by default, would answer 415.',
        '4.1-username':
          '`params` holds the query as well as the form. `username[]=alice` is a list, and `find_by` accepts any item of it (`predicate_builder/array_handler.rb`).',
        '4.1-password': '`params` again.',
        '4.1-R1': 'A missing grant_type is `invalid_request` (`lib/doorkeeper/request.rb`: 21).',
        '4.1-R2':
          '`grant_type=password` in the query is enough; `grant_type[]` is a list and gets another error.',
        '7-token-error-body': 'Errors have an `error_description` (`oauth/error_response.rb`: 31).',
        '7-token-error-media-type':
          'A form under `application/json` does not parse, and Rails answers with an empty HTML page (`public_exceptions.rb`).',
      },
      cantTell: { ...cantTell, '7-token-error-status': GRANTED },
    },
  },
  {
    name: 'OAuth::Lite2',
    language: 'Perl',
    packages: ['liboauth-lite2-perl', 'libplack-perl'],
    from: 'Debian',
    setUp:
      'On Plack and its own HTTP server, with a data handler of our own, as in its documentation; the client signs in by Basic authentication.',
    file: target('oauth-lite2'),
    expected: {
      failed: {
        ...RFC_6749.failed,
        '4.1-method': 'Nothing checks the method (`Server/Endpoint/Token.pm`).',
        '4.1-content-type':
          'Plack also reads multipart bodies (`Plack/Request.pm`: 235), and every type that begins with the name of the right one (`HTTP/Entity/Parser.pm`: 51).',
        '4.1-content-type-spelling': 'It compares the media type with case.',
        '4.1-username': 'Parameters of the query are added to those of the form (`Plack/Request.pm`: 133).',
        '4.1-password': 'The query again.',
        '4.1-R1': 'A missing grant_type is `invalid_request` (`Server/Endpoint/Token.pm`: 86).',
        '4.1-R2': '`grant_type=password` in the query is enough.',
        '7-token-error-status': 'A `multipart/form-data` body without a boundary ends in an exception: 500.',
        '7-token-error-body': 'Errors have an `error_description`, and this one another name.',
        '7-token-error-media-type':
          'Errors are `application/json` without a charset (`Formatter/JSON.pm`: 12).',
      },
      cantTell,
    },
  },
  {
    name: 'glewlwyd',
    language: 'C',
    packages: ['glewlwyd', 'libulfius2.7', 'libmicrohttpd12', 'sqlite3'],
    from: 'Debian',
    setUp:
      'With SQLite and its OAuth2 plugin, which has the password grant only and is set up over its API; the target file declares its path, `/token`, and adds a `scope` to every form.',
    file: target('glewlwyd'),
    expected: {
      failed: {
        '2.1-userName': RFC_6749.failed['2.1-userName'] ?? '',
        '2.1-issued': 'The time of issue is `iat`, in seconds (`protocol_oauth2.c`: 2908).',
        '2.1-expires': RFC_6749.failed['2.1-expires'] ?? '',
        '4.1-path':
          'Its plugins have `/token` in lower case; the suite asks there because the target file declares it.',
        '4.1-grant_type':
          'Parameters are C strings: nothing after a NUL is compared (`ulfius.c`: 335, `protocol_oauth2.c`: 3385).',
        '4.1-content-type':
          'Every type that begins with the name of the right one is a form, and so is multipart (`ulfius.c`: 537, 538).',
        '4.1-content-type-spelling': 'It compares the media type with case (537).',
        '4.1-R1': 'An unknown grant type is 400 with an empty body (`protocol_oauth2.c`: 3405).',
        '7-token-error-status': 'A disabled grant type is 403 (3383, 3395).',
        '7-token-error-body': 'No error has a body,',
        '7-token-error-media-type': 'nor a Content-Type.',
      },
      cantTell,
    },
  },
]
