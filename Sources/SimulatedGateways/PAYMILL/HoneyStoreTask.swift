import CardData
import EventLoops
import GatewayProtocols

/// One function at work: for whom, at what, and what is awaited.
struct HoneyStoreTask: Hashable {
    /// Who waits for the end.
    enum Caller: Hashable {
        /// The app, by the number of its call.
        case app(Int)
        /// The merchant's office.
        case office(Int, OfficeOrder)
    }

    /// What it is about.
    enum Work: Hashable {
        /// A user is to be made.
        case signUp(HoneyStoreBackend.User)
        /// A user is to be saved, with another address.
        case save(user: Int, email: String)
        /// A purchase of a user; only held where it says so.
        case purchase(user: Int, HoneyStoreOrder, Source, isHeld: Bool)
        /// A user's cards are to be listed.
        case payments(user: Int)
        /// A user's transactions are to be found.
        case transactions(user: Int, description: String, reference: String)
        /// An order of the office, and its transaction once it is found.
        case office(OfficeOrder, PAYMILLTransaction?)
    }

    /// What pays for a purchase.
    enum Source: Hashable {
        case token(String)
        case payment(String)
    }

    /// One request to the gateway.
    enum Step: Hashable {
        case createClient(email: String, name: String)
        case updateClient(String, email: String)
        case createPayment(token: String, client: String)
        case showClient(String)
        case charge(PAYMILLRequest.Money)
        case preauthorize(PAYMILLRequest.Money)
        case lookUp(PAYMILLRequest.List, number: Int)
        case list(PAYMILLRequest.List)
        case find(String)
        case capture(PAYMILLRequest.Money)
        case void(String)
        case refund(String, Amount)

        var operation: PAYMILLRequest.Operation {
            switch self {
            case .createClient(let email, let name): .createClient(email: email, description: name)
            case .updateClient(let id, let email): .updateClient(id, email: email, description: "")
            case .createPayment(let token, let client):
                .createPayment(token: token, client: client)
            case .showClient(let id): .show(.clients, id)
            case .charge(let money), .capture(let money): .charge(money)
            case .preauthorize(let money): .preauthorize(money)
            case .lookUp(let list, _), .list(let list): .list(.transactions, list)
            case .find(let orderID): .list(.transactions, .described(orderID))
            case .void(let id): .remove(.preauthorizations, id)
            case .refund(let id, let amount):
                .refund(transaction: id, amount, description: "")
            }
        }
    }

    /// What is awaited.
    enum Wait: Hashable {
        case answer
        case pause
        /// Nothing: the function forgot to answer.
        case never
    }

    let caller: Caller
    var work: Work
    var step = Step.find("")
    var post = 0
    var kind = PAYMILLRequestKind.query
    var wait = Wait.answer
    var deadline: VirtualInstant?
    /// Whether a look-up got no answer.
    var hasLostLookUp = false
    /// The payment that was made of a token; empty before and without.
    var payment = ""

    init(caller: Caller, work: Work) {
        self.caller = caller
        self.work = work
    }
}

extension PAYMILLRequest.List {
    /// The transactions with a description, the newest first.
    static func described(_ text: String, client: String = "") -> PAYMILLRequest.List {
        var list = PAYMILLRequest.List()
        list.order = "created_at_desc"
        if !client.isEmpty { list.filters.append(Filter("client", client)) }
        list.filters.append(Filter("description", text))
        return list
    }
}
