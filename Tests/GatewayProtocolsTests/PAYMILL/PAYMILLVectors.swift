// Answers of PAYMILL that client libraries recorded.
//
// Sources: active_merchant (ca45b1b) test/unit/gateways/paymill_test.rb, gringotts (373dcb9)
// test/mocks/paymill_mock.exs, paymill-java (17281a0) examples/resolvingWebhooks, PAYMILL API
// reference, "Webhooks" and "Export".

/// The recorded answers, by what they are about.
enum PAYMILLVectors {
    static let tokenAccepted = #"""
        jsonPFunction({"transaction":{"mode":"CONNECTOR_TEST","channel":"57313835619696ac361\#
        dc591bc973626","response":"SYNC","payment":{"code":"CC.DB"},"processing":{"code":"CC\#
        .DB.90.00","reason":{"code":"00","message":"Successful Processing"},"result":"ACK","\#
        return":{"code":"000.100.112","message":"Request successfully processed in 'Merchant\#
         in Connector Test Mode'"},"timestamp":"2013-02-12 21:33:43"},"identification":{"sho\#
        rtId":"1998.1832.1612","uniqueId":"tok_4f9a571b39bd8d0b4db5"}}})
        """#

    static let tokenRefused = #"""
        jsonPFunction({"transaction":{"mode":"CONNECTOR_TEST","channel":"57313835619696ac361\#
        dc591bc973626","response":"SYNC","payment":{"code":"CC.DB"},"processing":{"code":"CC\#
        .DB.70.40","reason":{"code":"40","message":"Account Validation"},"result":"NOK","ret\#
        urn":{"code":"000.100.201","message":"Account or Bank Details Incorrect"},"timestamp\#
        ":"2013-02-12 21:54:45"}}})
        """#

    static let purchase2013 = #"""
        {"data":{"id":"tran_c94ba7df2dae8fd55028df41173c","amount":"100","origin_amount":100\#
        ,"status":"closed","description":null,"livemode":false,"refunds":null,"currency":"EU\#
        R","created_at":1360717856,"updated_at":1360717856,"response_code":20000,"invoices":\#
        [],"payment":{"id":"pay_b8e6a28fc5e5e1601cdbefbaeb8a","type":"creditcard","client":"\#
        client_70f0439c7c13fe5c417b","card_type":"mastercard","country":null,"expire_month":\#
        9,"expire_year":2014,"card_holder":null,"last4":"5100","created_at":1360717855,"upda\#
        ted_at":1360717856},"client":{"id":"client_70f0439c7c13fe5c417b","email":null,"descr\#
        iption":null,"created_at":1360717856,"updated_at":1360717856,"payment":[],"subscript\#
        ion":null},"preauthorization":null},"mode":"test"}
        """#

    static let declined = #"""
        {"data":{"id":"tran_a432ce3b113cdd65b48e0d05db88","amount":"100","origin_amount":100\#
        ,"status":"failed","description":null,"livemode":false,"refunds":null,"currency":"EU\#
        R","created_at":1385054845,"updated_at":1385054845,"response_code":50102,"short_id":\#
        null,"is_fraud":false,"invoices":[],"app_id":null,"fees":[],"payment":{"id":"pay_8b7\#
        5b960574031979a880f98","type":"creditcard","client":"client_a69d8452d530ed20b297","c\#
        ard_type":"mastercard","country":null,"expire_month":"5","expire_year":"2020","card_\#
        holder":"","last4":"5100","created_at":1385054844,"updated_at":1385054845,"app_id":n\#
        ull},"client":{"id":"client_a69d8452d530ed20b297","email":null,"description":null,"c\#
        reated_at":1385054845,"updated_at":1385054845,"app_id":null,"payment":[],"subscripti\#
        on":null},"preauthorization":null},"mode":"test"}
        """#

    static let authorized = #"""
        {"data":{"id":"tran_4c612d5293e26d56d986eb89648c","amount":"100","origin_amount":100\#
        ,"status":"preauth","description":null,"livemode":false,"refunds":null,"currency":"E\#
        UR","created_at":1385054035,"updated_at":1385054035,"response_code":20000,"short_id"\#
        :"7357.7357.7357","is_fraud":false,"invoices":[],"app_id":null,"fees":[],"payment":{\#
        "id":"pay_f9ff269434185e0789106758","type":"creditcard","client":"client_d5179e1b6a8\#
        f596b19b9","card_type":"mastercard","country":null,"expire_month":"9","expire_year":\#
        "2014","card_holder":"","last4":"0004","created_at":1385054033,"updated_at":13850540\#
        35,"app_id":null},"client":{"id":"client_d5179e1b6a8f596b19b9","email":null,"descrip\#
        tion":null,"created_at":1385054035,"updated_at":1385054035,"app_id":null,"payment":[\#
        ],"subscription":null},"preauthorization":{"id":"preauth_fdf916cab73b97c4a139","amou\#
        nt":"100","currency":"EUR","status":"closed","livemode":false,"created_at":138505403\#
        5,"updated_at":1385054035,"app_id":null,"payment":{"id":"pay_f9ff269434185e078910675\#
        8","type":"creditcard","client":"client_d5179e1b6a8f596b19b9","card_type":"mastercar\#
        d","country":null,"expire_month":"9","expire_year":"2014","card_holder":"","last4":"\#
        0004","created_at":1385054033,"updated_at":1385054035,"app_id":null},"client":{"id":\#
        "client_d5179e1b6a8f596b19b9","email":null,"description":null,"created_at":138505403\#
        5,"updated_at":1385054035,"app_id":null,"payment":[],"subscription":null}}},"mode":"\#
        test"}
        """#

    static let refunded = #"""
        {"data":{"id":"refund_d02807f46181c0919016","amount":"100","status":"refunded","desc\#
        ription":null,"livemode":false,"created_at":1360892424,"updated_at":1360892424,"resp\#
        onse_code":20000,"transaction":{"id":"tran_89c8728e94273510afa99ab64e45","amount":"0\#
        00","origin_amount":100,"status":"refunded","description":null,"livemode":false,"ref\#
        unds":null,"currency":"EUR","created_at":1360892424,"updated_at":1360892424,"respons\#
        e_code":20000,"invoices":[],"payment":{"id":"pay_e7f0738e00f3cd57ff00c60f9b72","type\#
        ":"creditcard","client":"client_17c00b38c5b6fc62c3e6","card_type":"mastercard","coun\#
        try":null,"expire_month":9,"expire_year":2014,"card_holder":null,"last4":"5100","cre\#
        ated_at":1360892423,"updated_at":1360892424},"client":{"id":"client_17c00b38c5b6fc62\#
        c3e6","email":null,"description":null,"created_at":1360892424,"updated_at":136089242\#
        4,"payment":["pay_e7f0738e00f3cd57ff00c60f9b72"],"subscription":null},"preauthorizat\#
        ion":null}},"mode":"test"}
        """#

    static let authorizedV21 = #"""
        {"mode":"test","data":{"updated_at":1514371900,"transaction":{"updated_at":151437190\#
        0,"status":"preauth","short_id":null,"response_code":20000,"refunds":null,"preauthor\#
        ization":"preauth_7e160b01c8a570d513e8","payment":"pay_a2934f6a2a5f65f6dfa337d3","or\#
        igin_amount":100,"mandate_reference":null,"livemode":false,"is_refundable":false,"is\#
        _markable_as_fraud":true,"is_fraud":false,"invoices":[],"id":"tran_1352d28a96c3a31b2\#
        a145748786f","fees":[],"description":null,"currency":"EUR","created_at":1514371897,"\#
        client":"client_c38ce0f295edc5773027","app_id":null,"amount":100},"status":"closed",\#
        "payment":{"updated_at":1514371897,"type":"creditcard","last4":"1111","is_usable_for\#
        _preauthorization":true,"is_recurring":true,"id":"pay_a2934f6a2a5f65f6dfa337d3","exp\#
        ire_year":"2018","expire_month":"12","created_at":1514371897,"country":"DE","client"\#
        :"client_c38ce0f295edc5773027","card_type":"visa","card_holder":"John Doe","app_id":\#
        null},"livemode":false,"id":"preauth_7e160b01c8a570d513e8","description":null,"curre\#
        ncy":"EUR","created_at":1514371898,"client":{"updated_at":1514371897,"subscription":\#
        null,"payment":["pay_a2934f6a2a5f65f6dfa337d3"],"id":"client_c38ce0f295edc5773027","\#
        email":null,"description":null,"created_at":1514371897,"app_id":null},"app_id":null,\#
        "amount":"100"}}
        """#

    static let capturedV21 = #"""
        {"mode":"test","data":{"updated_at":1514396484,"status":"closed","short_id":"0000.99\#
        99.0000","response_code":20000,"refunds":null,"preauthorization":{"updated_at":15143\#
        96459,"transaction":"tran_478351595d1ec1e65d32d97e2696","status":"closed","payment":\#
        "pay_d9eef5928b69760cd60c4784","livemode":false,"id":"preauth_7dc9457660b33759b70b",\#
        "description":null,"currency":"INR","created_at":1514396457,"client":"client_436f566\#
        7c0835f3adf2c","app_id":null,"amount":"200"},"payment":{"updated_at":1514396441,"typ\#
        e":"creditcard","last4":"1111","is_usable_for_preauthorization":true,"is_recurring":\#
        true,"id":"pay_d9eef5928b69760cd60c4784","expire_year":"2020","expire_month":"3","cr\#
        eated_at":1514396441,"country":"DE","client":"client_436f5667c0835f3adf2c","card_typ\#
        e":"visa","card_holder":"John Doe","app_id":null},"origin_amount":2000,"mandate_refe\#
        rence":null,"livemode":false,"is_refundable":true,"is_markable_as_fraud":true,"is_fr\#
        aud":false,"invoices":[],"id":"tran_478351595d1ec1e65d32d97e2696","fees":[],"descrip\#
        tion":"","currency":"EUR","created_at":1514396441,"client":{"updated_at":1514396441,\#
        "subscription":null,"payment":["pay_d9eef5928b69760cd60c4784"],"id":"client_436f5667\#
        c0835f3adf2c","email":null,"description":null,"created_at":1514396441,"app_id":null}\#
        ,"app_id":null,"amount":2000}}
        """#

    static let purchasedV21 = #"""
        {"mode":"test","data":{"updated_at":1514400803,"status":"closed","short_id":"0000.99\#
        99.0000","response_code":20000,"refunds":null,"preauthorization":null,"payment":{"up\#
        dated_at":1514400802,"type":"creditcard","last4":"1111","is_usable_for_preauthorizat\#
        ion":true,"is_recurring":true,"id":"pay_9a09b497432463b3a6ee1ad1","expire_year":"201\#
        8","expire_month":"12","created_at":1514400802,"country":"DE","client":"client_75b88\#
        daa13b3d547accd","card_type":"visa","card_holder":"John Doe","app_id":null},"origin_\#
        amount":100,"mandate_reference":null,"livemode":false,"is_refundable":true,"is_marka\#
        ble_as_fraud":true,"is_fraud":false,"invoices":[],"id":"tran_9d4db278fbf8ef2e997ef42\#
        c0a55","fees":[],"description":"","currency":"EUR","created_at":1514400802,"client":\#
        {"updated_at":1514400802,"subscription":null,"payment":["pay_9a09b497432463b3a6ee1ad\#
        1"],"id":"client_75b88daa13b3d547accd","email":null,"description":null,"created_at":\#
        1514400802,"app_id":null},"app_id":null,"amount":100}}
        """#

    static let webhookCreated = #"""
        {"event":{"event_type":"transaction.created","event_resource":{"id":"tran_656a13cb79\#
        3ac165f35556f16ce5","amount":1200,"origin_amount":1200,"status":"open","description"\#
        :"test","livemode":false,"refunds":null,"client":{"id":"client_a54402c29a1fe9a59103"\#
        ,"email":null,"description":null,"app_id":null,"updated_at":1412263822,"created_at":\#
        1412263822,"payment":["pay_67869563d4c072b201435c07"],"subscription":null},"currency\#
        ":"EUR","created_at":1412263822,"updated_at":1412263822,"response_code":10001,"short\#
        _id":null,"is_fraud":false,"invoices":[],"app_id":null,"preauthorization":null,"fees\#
        ":[],"payment":{"id":"pay_67869563d4c072b201435c07","type":"creditcard","client":"cl\#
        ient_a54402c29a1fe9a59103","card_type":"visa","country":"DE","expire_month":"10","ex\#
        pire_year":"2020","card_holder":"John Doe","last4":"1111","updated_at":1412263822,"c\#
        reated_at":1412263822,"app_id":null,"is_recurring":true,"is_usable_for_preauthorizat\#
        ion":true},"is_refundable":false,"is_markable_as_fraud":true},"created_at":141226382\#
        3,"app_id":"app_1234"}}
        """#

    static let export = #"""
        "id";"amount";"origin_amount";"status";"description";"livemode";"currency";"created_at";"updated_at";"response_code";"short_id";"is_fraud";"app_id";"client_id";"payment_id";"preauthorization_id";"invoices";"fees"
        "tran_494d384289fbaa1aa342a35723f7";"599";"599";"closed";"Test Transaction";"";"EUR";"1342427064";"1342427064";"20000";"7357.7357.7357";"";"";"client_53396385b7438a6a5cc2";"pay_2bbe85119a00f22d061eb752";;"";""
        """#
}
