# OAuth::Lite2's token endpoint on Plack, in memory, as its documentation sets it up: a data handler of one's own, the
# password grant, and Plack's own HTTP server. Configured for the contract by its path and its lifetime.
use strict;
use warnings;
use utf8;

package Data {
    use parent 'OAuth::Lite2::Server::DataHandler';
    use Encode qw(decode_utf8);
    use OAuth::Lite2::Model::AccessToken;
    use OAuth::Lite2::Model::AuthInfo;

    my %accounts = ( alice => $ENV{ALICE_PASSWORD}, 'Zoë Straße' => $ENV{ZOE_PASSWORD} );
    my ( %granted, %tokens );

    sub validate_client {
        my ( $self, $id, $secret, $grant_type ) = @_;
        return $id eq 'client' && $secret eq $ENV{CLIENT_SECRET} && $grant_type eq 'password';
    }

    # Parameters and the environment are bytes, the names above are characters.
    sub get_user_id {
        my ( $self, $username, $password ) = @_;
        my $expected = $accounts{ decode_utf8($username) };
        return defined $expected && $expected eq $password ? decode_utf8($username) : undef;
    }

    sub create_or_update_auth_info {
        my ( $self, %args ) = @_;
        my $info = OAuth::Lite2::Model::AuthInfo->new(
            { id => 1 + keys %granted, user_id => $args{user_id}, client_id => $args{client_id} } );
        return $granted{ $info->id } = $info;
    }

    sub create_or_update_access_token {
        my ( $self, %args ) = @_;
        open my $random, '<:raw', '/dev/urandom' or die $!;
        read $random, my $bytes, 16;
        my $token = OAuth::Lite2::Model::AccessToken->new(
            {   auth_id    => $args{auth_info}->id,
                token      => unpack( 'H*', $bytes ),
                expires_in => 14 * 24 * 60 * 60,
                created_on => time,
            } );
        return $tokens{ $token->token } = $token;
    }
}

use OAuth::Lite2::Server::Endpoint::Token;
use Plack::Builder;
use Plack::Runner;

my $endpoint = OAuth::Lite2::Server::Endpoint::Token->new( data_handler => 'Data' );
$endpoint->support_grant_type('password');
my $app = builder { mount '/Token' => $endpoint };

my $runner = Plack::Runner->new;
$runner->parse_options( '--host', '127.0.0.1', '--port', $ENV{PORT}, '--env', 'deployment' );
$runner->run($app);
