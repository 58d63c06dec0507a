import { fileURLToPath } from 'node:url'
import { RFC_6749 } from '../expected.js'
import type { Implementation } from '../implementations.js'
import type { Source } from '../installed-version.js'

const npm: Source = { npm: new URL('node_modules/', import.meta.url) }

const target = (folder: string): string => fileURLToPath(new URL(`${folder}/target.yaml`, import.meta.url))

const NO_DATES = {
  ...RFC_6749.cantTell,
  '8-R3': 'It is configured for 14 days, but answers no dates to reckon them from.',
}
const GRANTED = 'Where it grants what the contract refuses, there is no error to judge.'

/** Servers that the suite starts by their target files. What is expected of each was derived from its installed source. */
export const SERVERS: readonly Implementation[] = [
  {
    name: '@jmondi/oauth2-server',
    language: 'TypeScript',
    packages: ['@jmondi/oauth2-server', 'express'],
    from: npm,
    setUp:
      'Behind Express with both body parsers, as its own example is; the client by `client_id` and `client_secret` in every form.',
    file: target('jmondi'),
    expected: {
      failed: {
        ...RFC_6749.failed,
        '4.1-content-type': 'Its example parses JSON too, and nothing looks at the media type after that.',
        '7-token-error-status':
          'Its constructor enables client_credentials and refresh_token (`index.js`: 1122); that this client may not use them is `invalid_client`, 401 (287).',
        '7-token-error-body':
          'Its helper for Express answers `status`, `message` and `error_description` besides (`express.js`: 79–82).',
        '7-token-error-media-type':
          "A form under `application/json` does not parse, and Express's own page says so.",
      },
      cantTell: NO_DATES,
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
          'Express 5 leaves `req.body` undefined where there is no form, and the middleware reads `req.body.grant_type` (`middleware/token.js`: 54): 500, `server_error`.',
        '4.1-R2': 'A form without grant_type is `unsupported_grant_type`, by 501.',
        '7-token-error-status':
          '`unsupported_grant_type` is 501 (`errors/tokenerror.js`: 18), a wrong media type 500.',
        '7-token-error-body': 'Errors have `error_description` (`middleware/errorHandler.js`: 71).',
        '7-token-error-media-type': 'They are `application/json` without charset (74).',
      },
      cantTell: NO_DATES,
    },
  },
  {
    name: 'Authlib',
    language: 'Python',
    packages: ['python3-authlib', 'python3-flask', 'python3-werkzeug'],
    from: 'Debian',
    setUp: 'Behind Flask, as its page "Flask OAuth 2.0 Server" shows; the client by Basic authentication.',
    file: target('authlib'),
    expected: {
      failed: {
        ...RFC_6749.failed,
        '4.1-content-type': 'Flask reads a multipart body as a form too (`werkzeug/formparser.py`: 327).',
        '4.1-R2':
          'Parameters of the query are added to those of the form (`wrappers.py`: 45): with `grant_type=password` there a token is granted.',
        '7-token-error-media-type':
          'It is `application/json` without charset, on purpose (`grants/base.py`, `consts.py`: 8).',
      },
      // Its error describes itself by a method (`errors.py`: 151) that nothing calls: it is the closed object of section 7.
      cantTell: { ...NO_DATES, '7-token-error-status': GRANTED, '7-token-error-body': GRANTED },
    },
  },
  {
    name: 'Django OAuth Toolkit',
    language: 'Python',
    packages: ['python3-django-oauth-toolkit', 'python3-oauthlib', 'python3-django'],
    from: 'Debian',
    setUp:
      'Its token view in a project of one file, with an application for the password grant, as its tutorial shows; the client by Basic authentication.',
    file: target('django-oauth-toolkit'),
    expected: {
      failed: {
        ...RFC_6749.failed,
        '4.1-content-type': 'Django reads a multipart body as a form too (`http/request.py`: 357).',
        '4.1-content-type-spelling':
          'Django compares the media type with case (105): in other letters the form is not read.',
        '4.1-R2':
          'A query is refused by an exception (`oauthlib/…/endpoints/base.py`: 89) that nothing catches (`oauth2_backends.py`: 155): 500.',
        '7-token-error-status': 'The same.',
        '7-token-error-body':
          'Besides, grants of its that this client may not use are `unauthorized_client`, or lack a parameter.',
        '7-token-error-media-type':
          'It is `application/json` without charset (`oauthlib/…/grant_types/base.py`: 223).',
      },
      cantTell: NO_DATES,
    },
  },
  {
    name: 'Doorkeeper',
    language: 'Ruby',
    packages: ['ruby-doorkeeper', 'ruby-rails', 'ruby-rack', 'puma'],
    from: 'Debian',
    setUp:
      'On Rails, with its generated tables and initializer, the password grant and `has_secure_password`; the client by Basic authentication.',
    file: target('doorkeeper'),
    expected: {
      failed: {
        ...RFC_6749.failed,
        '4.1-content-type':
          'Rails reads multipart and JSON bodies too, and a POST without a media type as a form (`rack/request.rb`: 416); `enforce_content_type`, off by default, would answer 415.',
        '4.1-username':
          'The query counts as the form does: `params` has both. And `username[]=alice` is a list, of which `find_by` looks for any (`predicate_builder/array_handler.rb`).',
        '4.1-password': 'The query again.',
        '4.1-R1': 'A missing grant_type is `invalid_request` (`lib/doorkeeper/request.rb`: 21).',
        '4.1-R2':
          'With `grant_type=password` in the query alone a token is granted; `grant_type[]` is a list, and another error.',
        '7-token-error-body': 'Errors have `error_description` (`oauth/error_response.rb`: 31).',
        '7-token-error-media-type':
          'A form under `application/json` does not parse, and Rails answers that with an empty page of HTML (`public_exceptions.rb`).',
      },
      cantTell: { ...NO_DATES, '7-token-error-status': GRANTED },
    },
  },
  {
    name: 'OAuth::Lite2',
    language: 'Perl',
    packages: ['liboauth-lite2-perl', 'libplack-perl'],
    from: 'Debian',
    setUp:
      "Its token endpoint on Plack, under Plack's own HTTP server, with a data handler of one's own, as its documentation shows; the client by Basic authentication.",
    file: target('oauth-lite2'),
    expected: {
      failed: {
        ...RFC_6749.failed,
        '4.1-method': 'Nothing looks at the method (`Server/Endpoint/Token.pm`).',
        '4.1-content-type':
          'Plack reads multipart bodies too (`Plack/Request.pm`: 235), and whatever begins with the name of the right media type (`HTTP/Entity/Parser.pm`: 51).',
        '4.1-content-type-spelling': 'With case: in other letters the form is not read.',
        '4.1-username': 'Parameters of the query are added to those of the form (`Plack/Request.pm`: 133).',
        '4.1-password': 'The same.',
        '4.1-R1': 'A missing grant_type is `invalid_request` (`Server/Endpoint/Token.pm`: 86).',
        '4.1-R2': 'With `grant_type=password` in the query alone a token is granted.',
        '7-token-error-status':
          'Whatever begins with `multipart/form-data` and has no boundary ends in an exception: 500.',
        '7-token-error-body': 'Errors have `error_description`, and this one another name.',
        '7-token-error-media-type': 'They are `application/json` without charset (`Formatter/JSON.pm`: 12).',
      },
      cantTell: NO_DATES,
    },
  },
  {
    name: 'glewlwyd',
    language: 'C',
    packages: ['glewlwyd', 'libulfius2.7', 'libmicrohttpd12', 'sqlite3'],
    from: 'Debian',
    setUp:
      'With SQLite and an instance of its OAuth2 plugin that has the password grant alone, set up over its API; its path ends in `/token`, which the target file declares, and a `scope` is in every form.',
    file: target('glewlwyd'),
    expected: {
      failed: {
        '2.1-userName': RFC_6749.failed['2.1-userName'] ?? '',
        '2.1-issued': 'The time of issue is `iat`, in seconds (`protocol_oauth2.c`: 2908).',
        '2.1-expires': RFC_6749.failed['2.1-expires'] ?? '',
        '4.1-path':
          'Its plugins have `/token`, in these letters; the suite asks there since the target file says so.',
        '4.1-grant_type':
          'Parameters are strings of C: after a NUL nothing is compared (`ulfius.c`: 335, `protocol_oauth2.c`: 3385).',
        '4.1-content-type':
          'Whatever begins with the name of the right media type is a form, and multipart is too (`ulfius.c`: 537, 538).',
        '4.1-content-type-spelling': 'With case: in other letters the form is not read (537).',
        '4.1-R1': 'A grant type that is none is 400 with an empty body (`protocol_oauth2.c`: 3405).',
        '7-token-error-status': 'One that is disabled is 403 (3383, 3395).',
        '7-token-error-body': 'No error of this endpoint has a body.',
        '7-token-error-media-type': 'Nor a Content-Type.',
      },
      cantTell: NO_DATES,
    },
  },
]
