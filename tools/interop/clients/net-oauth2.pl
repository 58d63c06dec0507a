use strict;
use warnings;
use JSON::MaybeXS qw(encode_json);
use Net::OAuth2::Profile::Password;

my $profile = Net::OAuth2::Profile::Password->new(
    client_id        => 'client',
    client_secret    => 'secret',
    site             => $ENV{TOKEN_ASSAY_URL},
    access_token_url => "$ENV{TOKEN_ASSAY_URL}/Token",
);
my $token = $profile->get_access_token(
    username => $ENV{TOKEN_ASSAY_USER_NAME},
    password => $ENV{TOKEN_ASSAY_PASSWORD},
);
$token->get($ENV{TOKEN_ASSAY_RESOURCE_URL})->is_success or die 'the token is refused';
print encode_json({ userName => $token->attribute('userName'), expiresAt => $token->attribute('.expires') }), "\n";
