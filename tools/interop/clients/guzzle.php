<?php
require 'GuzzleHttp/autoload.php';

$client = new GuzzleHttp\Client();
$answer = $client->post(getenv('TOKEN_ASSAY_URL') . '/Token', ['form_params' => [
    'grant_type' => 'password',
    'username' => getenv('TOKEN_ASSAY_USER_NAME'),
    'password' => getenv('TOKEN_ASSAY_PASSWORD'),
]]);
$token = GuzzleHttp\Utils::jsonDecode((string) $answer->getBody(), true);
$client->get(getenv('TOKEN_ASSAY_RESOURCE_URL'), [
    'headers' => ['Authorization' => "Bearer {$token['access_token']}"],
]);
echo json_encode(['userName' => $token['userName'], 'expiresAt' => $token['.expires']]), "\n";
