<?php
// Slim on PHP's own server, in one file: a route written for the contract by hand, in the usual way. It has the form by
// `getParsedBody` and answers by `withJson`.
require_once 'Slim/autoload.php';

use Slim\Http\Request;
use Slim\Http\Response;

const LIFETIME = 14 * 24 * 60 * 60;

function httpDate(int $time): string
{
    return gmdate('D, d M Y H:i:s', $time) . ' GMT';
}

$app = new Slim\App();
$app->post('/Token', function (Request $request, Response $response) {
    $accounts = ['alice' => getenv('ALICE_PASSWORD'), 'Zoë Straße' => getenv('ZOE_PASSWORD')];
    $form = $request->getParsedBody();
    if (($form['grant_type'] ?? null) !== 'password') {
        return $response->withJson(['error' => 'unsupported_grant_type'], 400);
    }
    $userName = $form['username'] ?? '';
    if (!isset($accounts[$userName]) || !hash_equals($accounts[$userName], $form['password'] ?? '')) {
        return $response->withJson(['error' => 'invalid_grant'], 400);
    }
    $now = time();
    return $response->withJson([
        'access_token' => bin2hex(random_bytes(32)),
        'token_type' => 'bearer',
        'expires_in' => LIFETIME,
        'userName' => $userName,
        '.issued' => httpDate($now),
        '.expires' => httpDate($now + LIFETIME),
    ]);
});
$app->run();
