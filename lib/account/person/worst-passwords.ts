/** Whether a password is commonly used, regardless of case, also with digits or symbols at its ends. */
export function isWorstPassword(password: string): boolean {
  const folded = password.toLowerCase()
  return worst.has(folded) || worstWords.has(withoutEnds(folded))
}

/** Removes digits and symbols from the ends of a word; returns the word unchanged when there are more than six. */
export function withoutEnds(folded: string): string {
  const word = folded.replace(/^[\d\p{P}\p{S}]+|[\d\p{P}\p{S}]+$/gu, '')
  return folded.length - word.length <= mostEnds ? word : folded
}

const mostEnds = 6

// From public lists of leaked passwords; shorter passwords are rejected for their length.
const worst = new Set(
  `
  password password1 password2 password3 password4 password5 password6 password7 password8 password9 password0
  password01 password10 password11 password12 password13 password21 password22 password23 password99 password123
  password1234 password12345 password123456 password! password1! password123! password. password@1 password@123
  passw0rd passw0rd1 passw0rd! p@ssw0rd p@ssw0rd1 p@ssword p@ssword1 p@55w0rd pa55word pa55w0rd pa$$word pa$$w0rd
  passwort passwort1 passwords passpass passport passwort123 mypassword mypassword1 yourpassword newpassword
  changeme changeme1 changeme123 changeit letmein1 letmein! letmein123 letmeinnow welcome1 welcome2 welcome12
  welcome123 welcome1! welcome@123 welcome01 iloveyou iloveyou1 iloveyou2 iloveyou! iloveyou123 iloveyou12
  iloveme1 ilovegod ilovejesus loveyou1 lovelove loveme123 lovely123 12345678 123456789 1234567890 12345678910
  123456789a 123456789q 12345678a 12345678q 1234567a 1234567q 123456aa 123456ab 123456abc 123456qw 123456as
  123123123 12341234 1234512345 123456123 123456123456 123321123 123454321 1234554321 123654789 123789456
  12344321 123456654321 1234qwer 1234abcd 1234asdf 12qwaszx 123qweasd 123qweasdzxc 123qwe123 123abc123 123asd123
  1qaz2wsx 1qaz2wsx3edc 1qazxsw2 1q2w3e4r 1q2w3e4r5t 1q2w3e4r5t6y 1qaz@wsx 1qazzaq1 0123456789 01234567 012345678
  00000000 000000000 0000000000 11111111 111111111 1111111111 11112222 11223344 1122334455 112233445566 22222222
  33333333 44444444 55555555 5555555555 66666666 6666666666 77777777 777777777 7777777777 88888888 888888888
  8888888888 99999999 999999999 9999999999 12121212 1212121212 13131313 13579246 1357924680 147258369 14725836
  147852369 159357159 159753159 159753456 321321321 321654987 456456456 456789123 741852963 789456123 789789789
  87654321 963852741 987654321 9876543210 98765432 99887766 10101010 20202020 69696969 31415926 314159265
  19841984 19851985 19861986 19871987 19881988 19891989 19901990 20002000 20202021 20242024 20252025
  qwertyui qwertyuiop qwertyuio qwerty12 qwerty123 qwerty1234 qwerty12345 qwerty123456 qwertyqwerty qwertz123
  qwerty01 qwerty11 qwerty99 qwerty!1 qwerty123! qwertyu1 qwert123 qwert1234 qwert12345 qwer1234 qwer12345
  qwerasdf qwerasdfzxcv qweasdzxc qweasd123 qweqweqwe qwe123qwe qwe12345 qwe123456 q1w2e3r4 q1w2e3r4t5 q1w2e3r4t5y6
  qazwsxedc qazwsx123 qazwsxedcrfv qaz123wsx qazxswedc qazqazqaz zaq12wsx zaq1zaq1 zaq1xsw2 zxcvbnm1 zxcvbnm123
  zxcvbnm, zxcvbnm,. zxcv1234 zxczxczxc asdfghjk asdfghjkl asdfghjkl; asdfghjkl1 asdfasdf asdf1234 asdfqwer
  asdasdasd asd123asd asd12345 asdfgh12 asdfg123 asdfg12345 asdqwe123 abcd1234 abcdefgh abcdefghi abcdefg1
  abc12345 abc123456 abc123456789 abc123abc abcabcabc abcd12345 abcd123456 a1234567 a12345678 a123456789 aa123456
  aa12345678 a1b2c3d4 a1b2c3d4e5 a1s2d3f4 aaaaaaaa aaaaaaaaa aaaaaaaaaa aabbccdd abcdabcd abcde12345 azertyuiop
  azerty123 aq1sw2de3 qq123456 q12345678 z1x2c3v4 zz123456 xxxxxxxx zzzzzzzz woaini1314 woaini520 woaiwojia
  wo123456 5201314520 1314520520 520520520 a5201314 asd123456 w123456789 q123456789 s12345678 z123456789 m123456789
  football football1 football12 baseball baseball1 basketball softball volleyball swimming soccer12 hockey12
  superman superman1 batman123 spiderman spiderman1 starwars starwars1 pokemon1 pokemon123 naruto123 minecraft
  minecraft1 princess princess1 princess12 princess123 sunshine sunshine1 sunshine12 sunshine123 butterfly
  butterfly1 chocolate chocolate1 strawberry blueberry cheesecake computer computer1 internet internet1 samsung1
  samsung123 google123 facebook facebook1 microsoft windows1 linkedin adobe123 whatever whatever1 trustno1
  jennifer jennifer1 jessica1 michelle michelle1 michael1 jonathan jordan23 jordan123 charlie1 charlie123
  alexander alexandra andrew123 anthony1 ashley12 benjamin brandon1 caroline catherine christian christina
  christine christopher danielle daniel123 elizabeth elizabeth1 gabriela gabriel1 isabella nicholas nicole123
  patricia rebecca1 richard1 samantha samantha1 stephanie thomas123 veronica victoria victoria1 vanessa1 william1
  ferrari1 mercedes mustang1 corvette porsche1 yamaha123 harley12 chevrolet liverpool liverpool1 chelsea1
  chelsea123 arsenal1 arsenal123 barcelona barcelona1 realmadrid juventus manchester manutd123 steelers cowboys1
  dolphins eagles12 yankees1 lakers24 redskins monkey12 monkey123 dragon12 dragon123 dragonball elephant tigger12
  snowball snoopy12 scooby12 garfield mickey12 mickeymouse babygirl babygirl1 babygirl12 babygirl123 babyblue
  sweetheart sweetie1 beautiful beautiful1 precious gorgeous brooklyn cristina death666 maverick midnight
  phoenix1 scorpion shadow12 shadow123 slipknot slipknot1 sebastian standard startrek stargate strength summer12
  summer123 summer2020 summer2021 summer2022 summer2023 summer2024 summer2025 winter12 winter123 winter2020
  winter2021 winter2022 winter2023 winter2024 spring2023 spring2024 spring2025 autumn2024 test1234 test12345
  test123456 testtest testing1 testing123 testpass tester123 guest123 guestguest user1234 username username1
  usuario1 root1234 rootroot toor1234 admin123 admin1234 admin12345 admin123456 adminadmin admin@123 admin!23
  administrator administrador superuser sysadmin1 manager1 operator master12 master123 master1234 secret12
  secret123 secret1234 topsecret default1 temp1234 temppass demo1234 demodemo login123 login1234 access14
  access123 security security1 server123 oracle123 database1 mysql123 postgres postgres1 raspberry ubuntu123
  hello123 hello1234 hello12345 hellohello helloworld goodluck goodmorning happy123 happyday freedom1 freedom123
  friends1 friendship family123 forever1 jesus123 jesuschrist blessed1 blessing heaven123 angel123 angels123
  lucky123 money123 million1 diamond1 diamonds platinum sapphire silver12 gold1234 rainbow1 sunflower moonlight
  bubbles1 bubblegum cupcake1 cookies1 cookie123 peanut12 pumpkin1 pepper12 ginger12 buster12 bailey12 maggie12
  killer12 killer123 hunter12 hunter123 matrix123 ninja123 gangster fuckyou1 fuckyou2 fuckyou! fuckyou123 asshole1
  bitch123 biteme12 mustang12 thunder1 tinkerbell 00112233 12300000 123000000 111222333 111222333444 112112112
  100200300 102030405060 1020304050 11221122 12312312 123412345 password11 correcthorse correcthorsebatterystaple
  drowssap drowssap1 nopassword nopass123 secretpassword thisismypassword letmeinplease opensesame opensesame1
  abracadabra shalom123 bismillah bismillah1 alhamdulillah inshallah mahalkita mahalko1 sayangku sayang123
  contrasena contraseña contrasena1 motdepasse motdepasse1 teamo123 tequiero tequiero1 estrella estrella1 mariposa
  mariposa1 hallo123 hallo1234 schatz123 passwort1! geheim123 sommer123 sommer2024 marina123 nikita123 natasha1
  qwertyqwe йцукенгш пароль123 password1234567 doraemon doraemon1 sakura123 pikachu1 pikachu123 nihao123 taobao123
  `
    .trim()
    .split(/\s+/),
)

const worstWords = new Set([...worst].map(withoutEnds).filter((word) => word.length >= 6))
