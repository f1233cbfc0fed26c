package app;

import java.util.Map;
import java.util.TreeMap;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.security.oauth2.client.OAuth2AuthorizedClient;
import org.springframework.security.oauth2.client.annotation.RegisteredOAuth2AuthorizedClient;
import org.springframework.security.oauth2.core.oidc.user.OidcUser;
import org.springframework.security.oauth2.jwt.JwtValidators;
import org.springframework.security.oauth2.jwt.NimbusJwtDecoder;
import org.springframework.security.oauth2.server.resource.introspection.SpringOpaqueTokenIntrospector;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Signs in with the defaults of Spring Boot, then checks the access token as an API does. */
@SpringBootApplication
@RestController
public class App {
  private static final String ISSUER = System.getenv("ISSUER");
  private static final String CLIENT_ID = System.getenv("CLIENT_ID");

  public static void main(String[] args) {
    SpringApplication.run(App.class, args);
  }

  @GetMapping("/")
  Map<String, Object> show(
      @AuthenticationPrincipal OidcUser person,
      @RegisteredOAuth2AuthorizedClient("postern") OAuth2AuthorizedClient client) {
    String token = client.getAccessToken().getTokenValue();
    requireSame(person.getSubject(), decoder().decode(token).getSubject());
    requireSame(person.getSubject(), introspector().introspect(token).getAttribute("sub"));
    Map<String, Object> claims = new TreeMap<>();
    for (String name : new String[] {"sub", "name", "email"}) claims.put(name, person.getClaim(name));
    return claims;
  }

  /** An API that checks the JWT itself. */
  private static NimbusJwtDecoder decoder() {
    NimbusJwtDecoder decoder = NimbusJwtDecoder.withIssuerLocation(ISSUER).validateType(false).build();
    decoder.setJwtValidator(
        JwtValidators.createAtJwtValidator().issuer(ISSUER).audience(ISSUER).clientId(CLIENT_ID).build());
    return decoder;
  }

  /** An API that asks Postern about the token. */
  private static SpringOpaqueTokenIntrospector introspector() {
    return SpringOpaqueTokenIntrospector.withIntrospectionUri(ISSUER + "/oauth2/introspect")
        .clientId(CLIENT_ID)
        .clientSecret(System.getenv("CLIENT_SECRET"))
        .build();
  }

  private static void requireSame(String expected, Object got) {
    if (!expected.equals(got)) throw new IllegalStateException("expected sub " + expected + ", got " + got);
  }
}
